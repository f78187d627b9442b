"""``{% nonced media %}``: put by the loaders where a template says ``{{ media }}``."""

from __future__ import annotations

from django import template

from ratingsite import nonces

register = template.Library()


@register.simple_tag(takes_context=True)
def nonced(context: template.Context, media: object) -> object:
    return nonces.render_media(media, context.get("csp_nonce", "")) if media else ""
