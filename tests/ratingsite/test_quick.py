"""The quicker tags say what Django's own say, in each language and for each address."""

from datetime import date

import pytest
from django.template import Context, Engine
from django.test import override_settings
from django.urls import NoReverseMatch, path, reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from ratingsite.templatetags.quick import address

DJANGOS = Engine(builtins=["django.templatetags.i18n"])
OURS = Engine(builtins=["django.templatetags.i18n", "ratingsite.templatetags.quick"])

urlpatterns = [
    path("elsewhere/<int:pk>/", lambda request, pk: None, name="player"),
    path("<int:a>é/<int:b>/", lambda request, a, b: None, name="compare-players"),
    path("named/<str:name>/", lambda request, name: None, name="named"),
]


def both(source: str, autoescape: bool = True, **values) -> str:
    """What the template says, twice, by Django's tags and by ours: the same."""
    said = []
    for engine in (DJANGOS, OURS):
        template, context = engine.from_string(source), Context(values, autoescape=autoescape)
        said.append(template.render(context))
        assert template.render(Context(values, autoescape=autoescape)) == said[-1]
    assert said[0] == said[1]
    return said[0]


COUNTED = (
    "{{% blocktranslate trimmed count n={} %}}{{{{ n }}}} player on this page{{% plural %}}"
    "{{{{ n }}}} players on this page{{% endblocktranslate %}}"
)
SENTENCES = [
    '{% translate "Players" %}',
    '{% translate "Change" context "of a rating" %}',
    '{% translate "Players" as word %}[{{ word }}]',
    '{% translate "Never translated: 50% < 100%" %}',
    '{% translate "Players"|upper %}',
    "{% translate word %}",
    '{% translate "Players" noop %}',
    "{% translate '' %}",
    "{% blocktranslate %}Version {{ portal_version }}{% endblocktranslate %}",
    "{% blocktranslate trimmed with name=word %}\n  Games of\n  {{ name }}{% endblocktranslate %}",
    COUNTED.format("one"),
    COUNTED.format("many"),
    "{% blocktranslate asvar said %}100% of {{ word }}{% endblocktranslate %}[{{ said }}]",
    "{% for each in 'abc' %}{% blocktranslate %}Games of {{ each }}{% endblocktranslate %}{% endfor %}",
]


@pytest.mark.parametrize("source", SENTENCES)
@pytest.mark.parametrize("autoescape", [True, False])
def test_words_and_sentences(source, autoescape):
    said = {}
    for language in ("en", "es", "pt", "en"):
        with translation.override(language):
            said[language] = both(source, autoescape, word="<Players>", one=1, many=7, portal_version="<1>")
    assert len(said) == 3


def test_one_template_follows_the_language_of_each_showing():
    template = OURS.from_string(SENTENCES[0])
    said = []
    for language in ("en", "es", "en", "pt", "es"):
        with translation.override(language):
            said.append(template.render(Context()))
    assert said == ["Players", "Jugadores", "Players", "Jogadores", "Jugadores"]


@given(pk=st.integers(0, 2**70), other=st.integers(0, 10**6))
def test_addresses_of_numbers(pk, other):
    assert both("{% url 'player' pk %} {% url 'calculation' pk other %}", pk=pk, other=other) == (
        f"/players/{pk}/ /players/{pk}/events/{other}/"
    )


ADDRESSES = [
    "{% url 'home' %}",
    "{% url 'list' 'fide-rapid' day %}",
    "{% url 'federation' 'XAA' %}",
    "{% url 'federation' odd as page %}[{{ page }}]",
    "{% url 'player' pk=7 %}",
    "{% url 'player' text %}",
    "{% url 'player' 7 as page %}[{{ page }}]",
    "{% url 'no-such-page' 7 as page %}[{{ page }}]",
    "{% url 'player' -7 as page %}[{{ page }}]",
    "{% url 'player' 7 8 9 10 11 as page %}[{{ page }}]",
    "{% url name 7 %}",
]


@pytest.mark.parametrize("source", ADDRESSES)
@pytest.mark.parametrize("autoescape", [True, False])
def test_addresses(source, autoescape):
    both(source, autoescape, day=date(2024, 5, 1), odd="X&A", text="12", name="player")


@pytest.mark.parametrize(
    ("name", "args"),
    [("player", (-1,)), ("player", ()), ("player", (True,)), ("no-such-page", (1,)), ("player", ([],))],
)
def test_what_has_no_address(name, args):
    with pytest.raises(NoReverseMatch):
        reverse(name, args=args)
    with pytest.raises(NoReverseMatch):
        address(name, args)


@pytest.mark.parametrize("autoescape", [True, False])
def test_what_an_address_holds_is_escaped(autoescape):
    with override_settings(ROOT_URLCONF=__name__):
        assert ("&amp;" in both("{% url 'named' odd %}", autoescape, odd="A&B <'%C>")) == autoescape


def test_other_addresses_of_the_same_names():
    assert address("player", (7,)) == "/players/7/"
    with override_settings(ROOT_URLCONF=__name__):
        assert address("player", (7,)) == "/elsewhere/7/"
        assert address("compare-players", (1, 2)) == reverse("compare-players", args=(1, 2)) == "/1%C3%A9/2/"
    assert address("player", (7,)) == "/players/7/"


def test_equal_arguments_of_other_kinds_have_addresses_of_their_own():
    with override_settings(ROOT_URLCONF=__name__):
        for arg in (True, 1.0, 1, "1", False, 0.0, 0):
            assert address("named", (arg,)) == reverse("named", args=(arg,))
