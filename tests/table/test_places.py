"""The pages beside the play page: each is built, has a title in every language, and is in the menu once."""

from __future__ import annotations

import pytest

from scoring.languages import Language
from table.page.place_words import PlaceWords
from table.page.places import PLACES
from table.page.server import BUILDERS


def test_every_place_is_built_by_one_builder() -> None:
    assert sorted(place.name for place in PLACES) == sorted(BUILDERS)


@pytest.mark.parametrize("language", Language)
def test_every_place_has_a_title(language: Language) -> None:
    assert {place.name for place in PLACES} == PlaceWords(language).titles.keys()
