from __future__ import annotations

import pytest

from table.dashboard.web.access.pin_choice import PinError, checked_pin, common_pins


@pytest.mark.parametrize(
    "pin",
    [
        *("739152", "471147", "9073518264", "kingfisher", "Eisvogelnest", "abc12xyz9", "rotavator"),
        *("さくらんぼたべたい", "кукушонок", "나비야나비야이리", "七零八落東倒西歪", "٤٧١١٤٧"),
    ],
)
def test_six_digits_or_a_word_of_eight_letters_in_any_script_may_be_chosen(pin: str) -> None:
    assert checked_pin(pin)


@pytest.mark.parametrize(
    "pin",
    [
        *("", "4711", "73915", "eagle", "abc1234", "x" * 65, "\x00" * 8, "kingfisher\x00"),
        *("73 915", "4-7-1-1", "--------", "eagle!!!", "a b c d e f g", "!?!?!?!?!", "निशानेबाज़ी"),
    ],
)
def test_what_is_shorter_without_its_signs_is_refused(pin: str) -> None:
    with pytest.raises(PinError) as refused:
        checked_pin(pin)
    assert refused.value.says == "pin_short"


@pytest.mark.parametrize(
    "pin",
    ["referee-table", "Grüße 2026!", "correct horse battery", "73 9152", "739-152", "kingfisher!", "qH7-zt9!wb_3k"],
)
def test_signs_and_spaces_may_be_in_a_pin(pin: str) -> None:
    assert checked_pin(pin) == pin.casefold()


@pytest.mark.parametrize("pin", ["123-456", "pass word", "password!", "24.12.1990", "1 1 1 1 1 1", "qwert-yuiop"])
def test_signs_make_no_usual_pin_an_unusual_one(pin: str) -> None:
    with pytest.raises(PinError) as refused:
        checked_pin(pin)
    assert refused.value.says == "pin_usual"


@pytest.mark.parametrize(
    "pin",
    [
        *("123456", "654321", "012345", "890123", "246802", "135791", "000000", "1111111"),
        *("123123", "121212", "112233", "123321", "474747", "159753", "147258", "142857", "520131"),
        *("448866", "474477", "bbmmttzz", "731137", "73911937"),
        *("241200", "122480", "850317", "24121990", "31121990", "19901224", "12241990"),
        *("password", "PassWord", "iloveyou", "qwertyui", "poiuytrewq", "asdfghjkl", "abcdefgh", "mahjong1"),
        *("lovelove", "aaaaaaaa", "あいうえおかきく", "１２３４５６", "١٢٣٤٥٦"),
    ],
)
def test_common_pins_are_refused(pin: str) -> None:
    with pytest.raises(PinError) as refused:
        checked_pin(pin)
    assert refused.value.says == "pin_usual"


def test_every_listed_pin_is_one_that_could_be_chosen_otherwise() -> None:
    assert len(common_pins()) > 100
    for pin in common_pins():
        with pytest.raises(PinError) as refused:
            checked_pin(pin)
        assert refused.value.says == "pin_usual", pin


def test_a_pin_is_the_same_however_a_keyboard_writes_it() -> None:
    assert checked_pin("７３９１５２") == checked_pin(" 739152 ") == "739152"
    assert checked_pin("Kingfisher") == checked_pin("kingfisher")
