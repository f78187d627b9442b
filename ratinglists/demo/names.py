"""Names of people and places that do not exist."""

FAMILY = """
Abrellan Adorvik Albrisco Almenza Ancorvel Arvidane Barquelo Bastrani Belluga Bendrovar Berisolde Bornavic
Brandizo Brissente Calvero Cantorel Carmesil Casteldor Cervanti Cordavel Corvilán Dalmeron Danverac Delmiro
Dorvaska Drésnic Elandor Eskarra Estévola Falquero Ferrandol Fontelis Gaborline Galdrisse Garvanti
Gelmírez-Toa Gorvenal Halvorik Hermandri Iborrane Iskander-Vey Jadranel Jovelanes Kardossi Kelvarin Kostrevic
Ladrini Larvonde Lendoval Lisantro Lorbada Madrovic Malvesta Marquesol Mendravi Merlonde Mirvasol Montarelo
Narvaloz Nestrovel Norvenza Ólvarez-Min Orbadell Ostrevano Palvarin Pedrasol Pellorca Pirvanel Quadrelli
Quirosal Ravendal Rebordan Rimbaldo Rostrevan Sablonde Salverio Santovik Serravel Solbrisa Sørvald Tamberlo
Tarvonesi Telmaren Torvadis Trevilan Ubaldez-Ro Ulverac Valdoresi Vandrelo Varmisol Velostra Verdanesc
Vilmarin Vostregal Wenderol Xarvante Yelmo-Dar Zabrenko Zaldívore Zorvenik
""".split()  # noqa: SIM905

GIVEN_M = """
Adro Alvin Bastio Belmo Caldo Cesarin Dario Delfin Edrin Elmo Fabro Fidel Gaspo Gelin Hernan Igor Ivo Jandro
Joel Karlo Lando Leandro Mauro Milan Nando Nuno Olmo Orlan Pablo Quim Ramo Rinaldo Sandro Silvan Teo Tulio Ugo
Vasco Vito Zeno
""".split()  # noqa: SIM905

GIVEN_F = """
Adela Alba Belisa Berta Clara Corina Dalia Delma Elida Elsa Fania Flora Gala Ginia Helma Inés Irma Jana Julia
Kira Lidia Lorena Mara Mirta Nadia Noa Olga Ona Petra Reina Rosa Selma Silvia Tania Thea Ursa Vera Violeta
Wanda Zoe
""".split()  # noqa: SIM905

CITIES = (
    "Puerto Alba",
    "Monte Sereno",
    "Villaclara",
    "Río Bravo del Sur",
    "Santa Lumia",
    "Cabo Norte",
    "Altavista",
    "Laguna Verde",
)
SPONSORS = (
    "Lighthouse",
    "Harbour",
    "Orchard",
    "Cathedral",
    "Railway",
    "Mill",
    "Vineyard",
    "Library",
    "Aqueduct",
    "Lantern",
)
