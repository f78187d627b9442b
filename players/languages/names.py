"""Names of models and of their fields, as the administration shows them, said in the reader's language."""

from __future__ import annotations

from django.utils.functional import Promise

from players.languages.texts import said_lazy

#: the English names that were taken over, by app
NAMES: dict[str, set[str]] = {}


class SaidNames:
    """Of an AppConfig: its models need no marks for their names. Before any form is made of them, each
    becomes a text that is said when it is shown. Migrations and permissions keep what the code says."""

    def import_models(self) -> None:
        super().import_models()
        names = NAMES.setdefault(self.label, set())
        for model in self.models.values():
            _say(model._meta, ("verbose_name_plural", "verbose_name"), names)
            for field in model._meta.local_fields + model._meta.local_many_to_many:
                _say(field, ("verbose_name",), names)


def _say(owner: object, attributes: tuple[str, ...], names: set[str]) -> None:
    for attribute in attributes:
        name = getattr(owner, attribute, None)
        made_by_django = attribute == "verbose_name_plural" and attribute not in owner.original_attrs
        if made_by_django:
            name = str(name)
        if name and not isinstance(name, Promise):
            names.add(name)
            setattr(owner, attribute, said_lazy(name))
