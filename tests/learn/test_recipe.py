from __future__ import annotations

from pathlib import Path

import pytest

from veil import InputError, UnknownNameError
from veil.learn.recipe import about, deviations, for_language, names, recipe

GOOD = 'kind = "crf"\nlanguage = "es"\ngroups = ["bias"]\ntrainer = "lbfgs"\n'


def write(folder: Path, content: str, name: str = "own.toml") -> Path:
    file = folder / name
    file.write_text(content, "utf-8")
    return file


@pytest.mark.parametrize("name", names())
def test_every_recipe_of_veil_can_be_read(name: str) -> None:
    """Each bundled recipe is complete, names itself and says what it is."""
    assert recipe(name).name == name
    assert about(name)


def test_the_papers_and_the_four_languages_are_there() -> None:
    """There is a recipe of each learning paper and one of Veil's for each language."""
    assert {
        *("aramaki-2006", "wi-deid-2015", "cotik-2019-crf", "cotik-2019-svm", "kajiyama-2018-crf"),
        *("veil-en", "veil-es", "veil-ja", "veil-sv"),
    } <= set(names())


def test_variants_differ_from_their_paper_in_features_alone() -> None:
    """The lexical variant of wi-deid-2015 keeps its tokens, its trainer and its parameters."""
    whole, lexical = recipe("wi-deid-2015"), recipe("wi-deid-2015-lex")
    assert lexical.groups == ("bias", "wi-lexical")
    assert (lexical.tokens, lexical.trainer) == (whole.tokens, whole.trainer)
    assert lexical.parameters == whole.parameters


def test_windows_of_a_recipe_replace_those_of_its_groups() -> None:
    """Run 1 of wi-deid-2015 looks at the shape of the token alone, and at words around it."""
    whole, run1 = recipe("wi-deid-2015"), recipe("wi-deid-2015-run1")
    windows = {channel.feature: channel.windows for channel in run1.channels()}
    assert windows["paper-shape"] == windows["in-city-dictionary"] == ((0,),)
    assert windows["lower"] == ((-2,), (-1,), (0,), (1,), (2,))
    assert [each.feature for each in run1.channels()] == [c.feature for c in whole.channels()]


def test_deviations_are_listed_with_those_of_the_recipe_that_is_extended() -> None:
    """The system without preprocessing differs in one thing more."""
    assert deviations("aramaki-2006-lc") == deviations("aramaki-2006") != ()
    whole, plain = deviations("wi-deid-2015"), deviations("wi-deid-2015-plain")
    assert plain[:-1] == whole
    assert deviations("veil-en") == ()


def test_a_recipe_of_ones_own(tmp_path: Path) -> None:
    """A path is read, and the file's name is the recipe's."""
    own = recipe(write(tmp_path, GOOD + 'seeds = [3]\noutside = -2\nscheme = "meddocan"\n'))
    assert (own.name, own.seeds, own.outside, own.scheme) == ("own", (3,), -2, "meddocan")


def test_extending_changes_what_is_said(tmp_path: Path) -> None:
    """Keys of the other recipe stay, parameters are added one by one."""
    write(tmp_path, GOOD + "[parameters]\nc1 = 0.5\nc2 = 0.5\n", "base.toml")
    varied = recipe(write(tmp_path, 'extends = "base.toml"\n[parameters]\nc2 = 0.1\n'))
    assert varied.groups == ("bias",)
    assert varied.parameters == {"c1": 0.5, "c2": 0.1}


def test_another_trainer_has_parameters_of_its_own(tmp_path: Path) -> None:
    """The parameters of L-BFGS mean nothing to another trainer: they are not taken over."""
    varied = recipe(write(tmp_path, 'extends = "wi-deid-2015"\ntrainer = "ap"\n'))
    assert varied.parameters == {}


def test_word_vectors_lie_beside_the_recipe(tmp_path: Path) -> None:
    """A path of vectors in a recipe starts at its folder, also in a recipe that extends it."""
    (tmp_path / "es.vec").write_text("a 1\n", "utf-8")
    vectors = '[parameters]\nvectors = "es.vec"\n'
    base = write(tmp_path, f'extends = "cotik-2019-svm"\n{vectors}')
    (tmp_path / "below").mkdir()
    other = write(tmp_path / "below", f'extends = "../{base.name}"\n[parameters]\nc = 2\n')
    assert recipe(base).parameters["vectors"] == str(tmp_path / "es.vec")
    assert recipe(other).parameters["c"] == 2
    assert Path(recipe(other).parameters["vectors"]).samefile(tmp_path / "es.vec")


def test_unknown_names_list_the_known_ones() -> None:
    """A mistyped recipe is answered with the names that exist."""
    with pytest.raises(UnknownNameError, match="veil-es"):
        recipe("veil-se")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD + "epochs = 3\n", "unknown key 'epochs'"),
        (GOOD + 'seeds = "3"\n', "'seeds' must be a list of whole numbers"),
        (GOOD + "compact = 1\n", "'compact' must be true or false"),
        (GOOD + "folds = 1\n", "'folds' must be a whole number from 2 on"),
        (GOOD + "[windows]\nbias = [0]\n", "'windows' must be a table of feature groups"),
        (GOOD + "[windows]\nbias = [0, 6]\n", "up to 5"),
        (GOOD + "[windows]\nveil-words = [0, 1]\n", "feature group of this recipe 'veil-words'"),
        (GOOD + 'deviations = "none"\n', "'deviations' must be a list of sentences"),
        (GOOD + "[parameters]\nc1 = [1]\n", "'parameters' must be"),
        (GOOD.replace('["bias"]', "[]"), "'groups' must be a list"),
        (GOOD.replace('language = "es"\n', ""), "the key 'language' is missing"),
        (GOOD.replace('"crf"', '"hmm"'), "unknown kind of detector 'hmm'; known: bilstm-crf, crf"),
        (GOOD.replace('"lbfgs"', '"magic"'), "unknown trainer 'magic'"),
        (GOOD.replace('"bias"', '"veil-magic"'), "unknown feature group 'veil-magic'"),
        (GOOD.replace('"es"', '"tlh"'), "unknown language 'tlh'"),
        (GOOD + 'scheme = "mine"\n', "unknown scheme 'mine'"),
        (GOOD + 'sequences = "pages"\n', "unknown kind of sequences 'pages'"),
        ('extends = "veil-es"\n[parameters]\nspeed = 2\n', "unknown parameter 'speed'"),
        ('extends = "cotik-2019-svm"\n[parameters]\nC = 2\n', "unknown parameter 'C'; known: c"),
        ('extends = "cotik-2019-svm"\n[parameters]\nvectors = 3\n', "must be the path of a file"),
        ('extends = "cotik-2019-svm"\n[parameters]\nvectors = "es.vec"\n', "es.vec: no such file"),
        (GOOD + '[parameters]\nvectors = "es.vec"\n', "this one has the trainer 'lbfgs'"),
        ('extends = "veil-se"\n', "extends: unknown recipe 'veil-se'"),
        ('extends = "none.toml"\n', "no such recipe file"),
        ('extends = "own.toml"\n', "circle"),
        ("kind = crf\n", "not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(tmp_path: Path, content: str, message: str) -> None:
    """Every mistake in a recipe names the file and the key or the name that is wrong."""
    file = write(tmp_path, content)
    with pytest.raises(InputError, match=message) as caught:
        recipe(file)
    assert str(tmp_path) in str(caught.value)


def test_another_language_has_tokens_of_its_own() -> None:
    """An English recipe cuts Spanish records as Spanish; on English ones nothing changes."""
    english = recipe("wi-deid-2015")
    spanish = for_language(english, "es")
    assert (spanish.language, spanish.tokens) == ("es", "")
    assert for_language(english, "en") == english
    with pytest.raises(UnknownNameError, match="unknown language"):
        for_language(english, "tlh")


def test_the_documentation_lists_every_recipe() -> None:
    """The table of docs/train.md names each bundled recipe."""
    page = Path(__file__).parents[2] / "docs" / "train.md"
    listed = page.read_text("utf-8")
    assert [name for name in names() if f"`{name}`" not in listed] == []
