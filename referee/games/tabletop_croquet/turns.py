"""Flicks and turns of Tabletop Croquet: who may flick which coin, and whose turn is next."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.clause import Reasons
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Flicked
from referee.games.flicking import (
    UNMOVED_MM,
    Wrong,
    next_in_order,
    not_done_before,
    turn_over,
    wrong_flick,
)
from referee.games.ground import not_restored, still_displaced
from referee.games.tabletop_croquet.falls import contradictions
from referee.games.tabletop_croquet.state import (
    TURNS,
    Coin,
    Flick,
    Judged,
    Offer,
    State,
    call_for,
    in_play,
    seat_of,
    whose,
)


def flicked(state: State, entry: Flicked, reasons: Reasons, *, upheld: bool) -> Judged:
    """Begin a flick if it is allowed. A wrong flick is an irregularity and a question, and does not
    begin. If a ruling lets a wrong flick stand (`upheld`), the flick begins, but contacts in it are
    no hits.
    """
    wrong = why_wrong(state, entry, reasons)
    verdicts = wrong_flick(entry, wrong, flicker(state, entry), asked=not upheld)
    if wrong is not None and not upheld:
        return state, verdicts
    seat = seat_of(state)
    mine = entry.player in (None, seat.name)
    state, more = begun(
        state,
        entry,
        reasons,
        who=entry.player or seat.name,
        own=entry.coin == seat.coin and mine,
        hits=wrong is None,
        takes=mine,
    )
    return state, (*verdicts, *more)


def begun(
    state: State, entry: Flicked, reasons: Reasons, *, who: str, own: bool, hits: bool, takes: bool
) -> Judged:
    """Begin a flick. `own`: the active player flicks that player's own coin. `hits`: contacts in it
    can be hits. `takes`: it uses up one of the player's flicks.
    """
    left = _left_undone(state, entry, reasons)
    state = _begun(state, entry, own=own, hits=hits, takes=takes)
    return state, (*left, _began(state, who))


def flicker(state: State, entry: Flicked) -> str | None:
    """Return who flicks: the player that the entry names, or else the coin's owner; None for a coin
    that no player has.
    """
    if entry.player is not None:
        return entry.player
    index = state.table.by_coin.get(entry.coin)
    return None if index is None else state.table.seats[index].name


def why_wrong(state: State, entry: Flicked, reasons: Reasons) -> Wrong | None:
    """Return what is wrong with a flick; None if it is allowed."""
    name, waiting = seat_of(state).name, _unanswered(state, entry.coin)
    still = reasons.holds("still", state.flick is None)
    in_turn = reasons.holds("flicks_in_turn", entry.player in (None, name), entry.player)
    answered = reasons.holds("answered", not waiting, waiting)
    right_coin = reasons.holds(
        "right_coin", may_flick(state, entry.coin), entry.coin, flickable(state)
    )
    if not still:
        text = "A coin is flicked before everything is still."
        return Wrong("still_moving", TURNS, text)
    if not in_turn:
        text = f"{entry.player} flicks, but it is {name}'s turn."
        return Wrong("out_of_turn", TURNS, text)
    if not answered:
        text = f"{waiting[0]} has not said yet whether the coin becomes a rover or leaves."
        return Wrong("unanswered", "Team play", text)
    return None if right_coin else _wrong_coin(state, entry.coin)


def _unanswered(state: State, coin: str) -> list[str]:
    """Return the players who must still choose between rover and leaving. Only the active player
    and the owner of the flicked coin are considered.
    """
    owner = state.table.by_coin.get(coin, state.active)
    concerned = (owner,) if owner == state.active else sorted((owner, state.active))
    return [state.table.seats[index].name for index in concerned if must_choose(state, index)]


def must_choose(state: State, index: int) -> bool:
    """Return whether a player must still choose between rover and leaving (TC-19)."""
    coin = state.coins[index]
    return coin.choice == "asked" and in_play(coin) and not coin.conceded


def flickable(state: State) -> str:
    """Return the coin that the active player must flick next: the player's own coin, or a hit coin
    if the player has declared to flick it (TC-12).
    """
    offer = state.offer
    if offer is not None and offer.option in (3, 4) and offer.coin is not None:
        return offer.coin
    return seat_of(state).coin


def may_flick(state: State, coin: str) -> bool:
    """Return whether the active player may flick `coin` now."""
    index = state.table.by_coin.get(coin)
    if index is None or not in_play(state.coins[index]):
        return False
    return coin == flickable(state) or may_force(state, coin)


def may_force(state: State, coin: str) -> bool:
    """Return whether the active player may flick another player's rover to force it out: once a
    turn for each rover (TC-23).
    """
    index = state.table.by_coin[coin]
    return (
        index != state.active and state.coins[index].state == "rover" and coin not in state.forced
    )


def _wrong_coin(state: State, coin: str) -> Wrong:
    seat, index = seat_of(state), state.table.by_coin.get(coin)
    if index is None:
        return Wrong("wrong_coin", TURNS, f"The coin {coin} is flicked, but no player has it.")
    owner = state.table.seats[index].name
    wanted = state.table.seats[state.table.by_coin[flickable(state)]].name
    if state.offer is not None and coin in state.offer.coins and state.offer.option not in (3, 4):
        return Wrong(
            "undeclared_flick",
            TURNS,
            f"{owner}'s coin is flicked, but {seat.name} has not declared that.",
        )
    if index == state.active:
        return Wrong(
            "wrong_coin",
            TURNS,
            f"{seat.name}'s own coin is flicked, but {seat.name} declared to flick {wanted}'s coin"
            " first.",
        )
    return Wrong(
        "wrong_coin",
        TURNS,
        f"{owner}'s coin is flicked, but it is {seat.name}'s turn, and {wanted}'s coin must be"
        " flicked.",
    )


def _left_undone(state: State, entry: Flicked, reasons: Reasons) -> list[Verdict]:
    """Return irregularities for everything that had to be done before this flick and was not
    done.
    """
    on = str(entry.id)
    found: list[Verdict] = []
    for seat, coin in zip(state.table.seats, state.coins, strict=True):
        if not (coin.owed or coin.lift):
            continue
        if reasons.fails("put_back", coin.owed and in_play(coin), seat.coin):
            text = f"{seat.name}'s coin left the table and was not put back before this flick."
            found.append(not_done_before(on, "not_put_back", "Fouls", text, coin=seat.coin))
        if reasons.fails("lifted_off", coin.lift, seat.coin):
            text = f"{seat.name}'s coin was killed and not lifted off before this flick."
            found.append(not_done_before(on, "not_lifted", "Poison", text, coin=seat.coin))
    index = state.table.by_coin.get(entry.coin, -1)
    waits = index >= 0 and state.coins[index].state == "not_entered"
    if reasons.fails("placed_to_start", waits, entry.coin):
        text = (
            f"{whose(state, entry.coin)} was not placed beside the left endpost before its first"
            " flick."
        )
        found.append(not_done_before(on, "not_placed", TURNS, text, coin=entry.coin))
    if reasons.fails("tiles_put_back", bool(state.displaced), state.displaced):
        found += not_restored(on, state.displaced, "Fouls")
    return found


def _begun(state: State, entry: Flicked, *, own: bool, hits: bool, takes: bool) -> State:
    index = state.table.by_coin.get(entry.coin)
    closes = entry.coin in (seat_of(state).coin, flickable(state))
    forced = hits and entry.coin != flickable(state)
    coins = [replace(coin, exit_mm=None, back=False) if coin.back else coin for coin in state.coins]
    if index is not None:
        # A coin flicked from another place need not be put back any more.
        own_state = coins[index].state
        plays = "playing" if own_state == "not_entered" else own_state
        coins[index] = replace(coins[index], exit_mm=None, back=False, fresh=False, state=plays)
    return replace(
        state,
        coins=tuple(coins),
        flicks=max(0, state.flicks - 1) if takes else state.flicks,
        offer=None if closes else state.offer,
        forced=state.forced | {entry.coin} if forced else state.forced,
        displaced=still_displaced(state.displaced),
        flick=Flick(
            on=str(entry.id),
            coin=entry.coin,
            own=own,
            hits=hits,
            forced=forced,
            touching=frozenset(entry.touching),
            lain=tuple([coin.at_mm for coin in coins]),
        ),
    )


def _began(state: State, who: str) -> Call:
    flick = state.flick
    assert flick is not None
    index = state.table.by_coin.get(flick.coin)
    what = (
        ""
        if index is not None and state.table.seats[index].name == who
        else f" {whose(state, flick.coin)}"
    )
    return Call(
        on=flick.on,
        call="flick_began",
        player=who,
        coin=flick.coin,
        rule=TURNS,
        text=f"{who} flicks{what}.",
    )


def rested(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """End the flick once all coins lie still, and note where they lie."""
    flick = state.flick
    assert flick is not None
    verdicts = contradictions(state, entry, reasons)
    coins = tuple(
        [
            _lies(coin, lain, entry.coins.get(seat.coin))
            for seat, coin, lain in zip(state.table.seats, state.coins, flick.lain, strict=True)
        ]
    )
    offer = Offer(flick.hit) if flick.hit else state.offer
    return replace(state, coins=coins, flick=None, offer=offer), verdicts


def turn_ended(state: State, on: str, reasons: Reasons) -> Judged:
    """End the turn after a flick if the player has no flick left or is out of the game."""
    mine, name = state.coins[state.active], seat_of(state).name
    used_up = reasons.holds("no_flick_left", state.flicks == 0, name, state.flicks)
    is_out = mine.conceded or not in_play(mine)
    out = reasons.succeeds("player_is_out", is_out, name, mine.state, mine.conceded)
    if reasons.fails("game_goes_on", state.over, state.winner) or not (used_up or out):
        return state, ()
    return next_turn(state, on)


def _lies(coin: Coin, lain: Point | None, at: Point | None) -> Coin:
    """Return a coin with its place at rest. A coin that another coin moved away is no longer
    `fresh`.
    """
    if coin.at_mm == at == lain:
        return coin
    fresh = coin.fresh
    if fresh and at is not None and lain is not None:
        fresh = distance(lain, at) <= UNMOVED_MM
    return replace(coin, at_mm=at, fresh=fresh)


def next_turn(state: State, on: str) -> Judged:
    """End the turn and begin that of the next player who is still in the match."""
    seat, lost = seat_of(state), state.flicks
    index = next_in_order(
        state.active, [in_play(coin) and not coin.conceded for coin in state.coins]
    )
    ended = call_for(
        state, on, "turn_ended", state.active, turn_over(seat.name, lost), flicks=-lost
    )
    empty: frozenset[str] = frozenset()
    state = replace(
        state, active=index, flicks=1, dead=empty, forced=empty, passed=empty, offer=None
    )
    return state, (ended, turn_began(state, on))


def turn_began(state: State, on: str) -> Call:
    """Return the call with which a turn begins."""
    seat = seat_of(state)
    return call_for(
        state, on, "turn_began", state.active, f"It is {seat.name}'s turn, with one flick."
    )
