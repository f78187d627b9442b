"""The page that tells people what programs can ask for: the OpenAPI document in words."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratinglists.api.api import description


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every operation with its parameters and answers."""
    document = description()
    context = {
        "about": _flowing(document["info"]["description"]),
        "groups": _groups(document),
        "limit": settings.PORTAL_API_PER_MINUTE,
    }
    return render(request, "ratinglists/api.html", context)


def _groups(document: dict) -> list[tuple[str, list[dict]]]:
    groups: dict[str, list[dict]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            groups.setdefault(operation["tags"][0], []).append(
                {
                    "method": method.upper(),
                    "path": path,
                    "id": operation["operationId"],
                    "summary": operation["summary"],
                    "description": _flowing(operation.get("description", "")),
                    "needs_key": bool(operation.get("security")),
                    "parameters": [_parameter(each) for each in operation["parameters"]],
                    "body": [_part(*each) for each in _parts(operation)],
                    "fields": _fields(document, operation),
                    "answers": [
                        (status, each["description"]) for status, each in operation["responses"].items()
                    ],
                }
            )
    return list(groups.items())


def _flowing(text: str) -> str:
    """A text without the line ends of the source: only paragraphs are kept apart."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _parameter(given: dict) -> dict:
    return {
        "name": given["name"],
        "where": given["in"],
        "required": given["required"],
        "description": given.get("description", ""),
        "default": given["schema"].get("default"),
        "choices": [each for each in given["schema"].get("enum", ()) if each],
    }


def _parts(operation: dict):
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        for name, schema in content["schema"]["properties"].items():
            if kind == "multipart/form-data":
                yield name, schema


def _part(name: str, schema: dict) -> dict:
    return {"name": name, "description": schema.get("description", "")}


def _fields(document: dict, operation: dict) -> list[dict]:
    """What the good answer has at its top."""
    good = next(each for status, each in operation["responses"].items() if status in ("200", "201"))
    schema = good["content"]["application/json"]["schema"]
    named = document["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    return [
        {"name": name, "description": each.get("description", "")}
        for name, each in named.get("properties", {}).items()
    ]
