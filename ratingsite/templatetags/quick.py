"""Django's ``translate``, ``blocktranslate`` and ``url``, quicker where they come to the same each time.

A page of a hundred rows says the same dozen words and makes the same few kinds of addresses in each row; that
was more than half of what its template took.
"""

from __future__ import annotations

from functools import lru_cache
from weakref import WeakKeyDictionary

from django import template
from django.conf import settings
from django.template.base import FilterExpression, Node
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as django_url
from django.templatetags.i18n import BlockTranslateNode, TranslateNode, do_block_translate, do_translate
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape
from django.utils.translation.trans_real import catalog

register = template.Library()


def _constant(expression: FilterExpression | None) -> bool:
    """Is it a text in quotes, without filters?"""
    return expression is None or (
        not expression.filters and isinstance(getattr(expression.var, "literal", expression.var), str)
    )


class Words(Node):
    """A constant text: translated once for each catalogue."""

    child_nodelists = ()

    def __init__(self, node: TranslateNode) -> None:
        self.node, self.asvar = node, node.asvar
        self.kept: WeakKeyDictionary[object, str] = WeakKeyDictionary()
        node.asvar = None

    def render(self, context: template.Context) -> str:
        said = self.kept.get(active := catalog())
        if said is None:
            said = self.kept[active] = self.node.render(context)
        if not self.asvar:
            return said
        context[self.asvar] = said
        return ""


class Sentence(BlockTranslateNode):
    """Its message is put together once, not for each showing."""

    def render_token_list(self, tokens: list) -> tuple[str, list[str]]:
        kept = self.__dict__.setdefault("kept", {})
        if id(tokens) not in kept:  # the node's own two lists, which live as long as it
            kept[id(tokens)] = super().render_token_list(tokens)
        message, names = kept[id(tokens)]
        return message, list(names)


class Address(URLNode):
    """The address of a page of a constant name."""

    def render(self, context: template.Context) -> str:
        args = tuple(arg.resolve(context) for arg in self.args)
        try:
            url = address(self.view_name.var, args)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            url = ""
        if self.asvar:
            context[self.asvar] = url
            return ""
        return conditional_escape(url) if context.autoescape else url


def address(name: str, args: tuple) -> str:
    """``reverse(name, args=args)``; NoReverseMatch as there."""
    where = (get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())
    if args and all(type(arg) is int and arg >= 0 for arg in args):
        pattern = _pattern(where, name, len(args))
        if pattern is not None:
            return pattern % args
    try:
        return _reversed(where, name, args, tuple(map(type, args)))
    except TypeError:  # an argument that cannot be remembered
        return reverse(name, args=args)


#: stand in for keys while the pattern of an address is made
_STANDS = 10**17


@lru_cache(maxsize=1024)
def _pattern(where: tuple[str, str], name: str, count: int) -> str | None:
    """The address of a page of so many numbers, to be filled in; None if not every number makes one."""
    stands = [_STANDS + place for place in range(count)]
    try:
        made = reverse(name, args=stands).replace("%", "%%")
        small = reverse(name, args=[0] * count)
    except NoReverseMatch:
        return None
    parts = []
    for stand in stands:
        before, found, made = made.partition(str(stand))
        if not found:
            return None
        parts.append(before)
    pattern = "%d".join([*parts, made])
    return pattern if pattern % ((0,) * count) == small else None


@lru_cache(maxsize=4096)
def _reversed(where: tuple[str, str], name: str, args: tuple, kinds: tuple[type, ...]) -> str:
    """``kinds`` tell 1, 1.0 and True apart, which are equal and have other addresses."""
    return reverse(name, args=args)


@register.tag
def translate(parser, token) -> Node:
    node = do_translate(parser, token)
    fixed = _constant(node.filter_expression) and _constant(node.message_context)
    return Words(node) if fixed else node


@register.tag
def blocktranslate(parser, token) -> Node:
    node = do_block_translate(parser, token)
    node.__class__ = Sentence
    return node


@register.tag
def url(parser, token) -> Node:
    node = django_url(parser, token)
    name = node.view_name
    if _constant(name) and not node.kwargs and ":" not in name.var:
        node.__class__ = Address
    return node
