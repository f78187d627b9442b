"""Catalogues of translations: brought up to the code and compiled, or checked."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Bring the .po files up to the code and compile them. Needs requirements-dev.txt, not GNU gettext."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; say what is missing")
        parser.add_argument("--compile", action="store_true", help="only write the .mo files")
        parser.add_argument(
            "--of",
            metavar="FOLDER",
            type=Path,
            help="of a package that brings a regulation, not of the portal",
        )
        parser.add_argument("--add", metavar="LANGUAGE", help="begin another language, such as fr")

    def handle(self, *args, **options) -> None:
        from ratingsite.languages import areas, catalogues

        if folder := options["of"]:
            if not (folder / "__init__.py").is_file():
                raise CommandError(f"{folder} is no package: name the folder with its __init__.py.")
            if not options["check"]:
                catalogues.update_of(folder)
            return self._tell(list(catalogues.faults_of(folder)), options["check"])
        if options["compile"]:
            catalogues.compile_all()
        elif not options["check"]:
            new = (options["add"],) if options["add"] else ()
            catalogues.update((*areas.LANGUAGES, *new))
        return self._tell(list(catalogues.faults()), options["check"])

    def _tell(self, faults: list[str], checked: bool) -> None:
        for fault in faults:
            self.stdout.write(fault)
        if faults and checked:
            raise CommandError(f"{len(faults)} faults in the catalogues.")
