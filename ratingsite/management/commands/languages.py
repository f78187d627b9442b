"""Catalogues of translations: brought up to the code and compiled, or checked."""

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Bring the .po files up to the code and compile them. Needs requirements-dev.txt, not GNU gettext."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; say what is missing")
        parser.add_argument("--compile", action="store_true", help="only write the .mo files")
        parser.add_argument("--add", metavar="LANGUAGE", help="begin another language, such as fr")

    def handle(self, *args, **options) -> None:
        from ratingsite.languages import areas, catalogues

        if options["compile"]:
            catalogues.compile_all()
        elif not options["check"]:
            new = (options["add"],) if options["add"] else ()
            catalogues.update((*areas.LANGUAGES, *new))
        faults = list(catalogues.faults())
        for fault in faults:
            self.stdout.write(fault)
        if faults and options["check"]:
            raise CommandError(f"{len(faults)} faults in the catalogues.")
