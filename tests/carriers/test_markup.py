from __future__ import annotations

from xml.etree import ElementTree

import pytest

from veil.carriers.markup import Markup


def replaced(source: str, *pairs: tuple[str, str]) -> str:
    """The source with words of its text replaced."""
    markup = Markup(source)
    new = markup.text
    for old, word in pairs:
        new = new.replace(old, word)
    return markup.woven(new)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>Anna <b>Berg</b>, 63</p>", "Anna Berg, 63"),
        ("<p>Anna</p><p>Berg</p>", "Anna\nBerg"),
        ("Anna<br/>Berg", "Anna\nBerg"),
        ("<tr><td>Name</td><td>Anna</td></tr><tr><td>Age</td></tr>", "Name\tAnna\nAge"),
        ("<p>a &lt; b &amp;amp; &#233;&nbsp;&eacute;</p>", "a < b &amp; é\xa0é"),
        ("<ul>\n  <li>Anna</li>\n</ul>", "\n  Anna\n\n"),
        ('<a href="mailto:a@b.se" class="x">post</a>', "mailto:a@b.se\npost"),
        ("<img alt='Anna' src=\"#pic\"/>", "Anna"),
        ("<!-- Anna -->x", " Anna \nx"),
        ("<![CDATA[a < b]]>", "a < b"),
        ("<style>p {}</style><script>x = 'Anna'</script>", "x = 'Anna'"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p>Anna", "Anna"),
        ("<a title=Anna>x</a>", "Anna\nx"),
        ("", ""),
        ("<p></p>", ""),
    ],
)
def test_text_of_markup(source: str, text: str) -> None:
    """Text stands as people read it: blocks are lines, cells are parted, entities are letters."""
    markup = Markup(source)
    assert markup.text == text
    assert markup.woven(text) == source


@pytest.mark.parametrize(
    ("source", "old", "new", "expected"),
    [
        ("<p>Seen by <b>Anna</b></p>", "Anna", "Eva", "<p>Seen by <b>Eva</b></p>"),
        ("<p><b>Anna</b> Berg ill</p>", "Anna Berg", "Eva Lund", "<p><b>Eva</b> Lund ill</p>"),
        ("<td>Anna</td><td>Bo</td>", "Anna", "[P-1]", "<td>[P-1]</td><td>Bo</td>"),
        ("<p>Anna &#233;</p><p>&#233;</p>", "Anna", "<E&>", "<p>&lt;E&amp;&gt; é</p><p>&#233;</p>"),
        ('<a title="Anna">x</a>', "Anna", 'a"b', '<a title="a&quot;b">x</a>'),
        ("<a title=Anna>x</a>", "Anna", "Eva L", '<a title="Eva L">x</a>'),
        ("<!--Anna-->", "Anna", "--x-", "<!--- -x- -->"),
        ("<![CDATA[Anna]]>", "Anna", "a]]>b", "<![CDATA[a]]&gt;b]]>"),
        ("<script>Anna</script>", "Anna", "</script>", "<script><\\/script></script>"),
        ("<p>Anna</p><p>Berg</p><p>x</p>", "Anna\nBerg", "[P]", "<p>[P]</p><p></p><p>x</p>"),
    ],
)
def test_new_text_stands_between_the_tags(source: str, old: str, new: str, expected: str) -> None:
    """Replacements stand where the originals stood, written so that the markup stays sound."""
    assert replaced(source, (old, new)) == expected


def test_every_cell_of_a_table_is_replaced() -> None:
    """Replacements side by side stay in their cells, even if they have more words or fewer."""
    source = "<tr><td>Anna Berg</td><td>Bo</td><td>Lund</td></tr>"
    assert (
        replaced(source, ("Anna Berg", "[P-1]"), ("Bo", "Eva Maria Ek"), ("Lund", "Ystad"))
        == "<tr><td>[P-1]</td><td>Eva Maria Ek</td><td>Ystad</td></tr>"
    )


def test_nothing_of_the_old_text_is_left() -> None:
    """Even if nothing of a text is as it was, no word of it stays and the tags are sound."""
    source = "<div><p>Anna <i>Maria</i> Berg</p><ul><li>Lund</li><li>1948</li></ul></div>"
    woven = Markup(source).woven("xxx")
    assert "".join(ElementTree.fromstring(woven).itertext()) == "xxx"  # noqa: S314 - our own
    assert woven.count("<") == source.count("<")


def test_embedded_images_are_taken_out() -> None:
    """An image in the text itself may show anything: its bytes go, whatever becomes of the text."""
    markup = Markup('<p>x<img src="data:image/png;base64,AAAA" alt="scan"/></p>')
    assert markup.altered
    assert markup.woven(markup.text) == '<p>x<img src="#" alt="scan"/></p>'
