"""Tracks tiles: matches those that a look found with what is believed, and reads those that need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.arrays import Floats, Mask
from vision.felt import Reading
from vision.frames import Frame
from vision.geometry.rectify import TopView
from vision.reading.locator import Located
from vision.reading.reader import FaceReader, crops
from vision.watching.belief.beliefs import LEAST_REST_NS, Beliefs
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.watching.detection import Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.looks.tile_looks import TileLooks
from vision.watching.looks.top_look import TopLook
from vision.watching.motion.places_at_rest import PlacesAtRest
from vision.watching.refinement.meld_gaps import with_melds_completed
from vision.watching.refinement.meld_pairs import with_pairs_completed
from vision.watching.refinement.neighbours import PlacedTile, do_overlap
from vision.watching.refinement.parts_of_tiles import OVERLAPPING, finds_between
from vision.watching.refinement.row_gaps import with_rows_completed
from vision.watching.refinement.straightened import keep_lying, read_straightened, with_parts_joined
from vision.watching.tracking.blank_looks import counted_readings, lies_impossibly, with_blanks_identified
from vision.watching.tracking.top_tiles import Pon, TopTile, TopTiles
from vision.zones.table_zones import Zones


@dataclass(frozen=True, slots=True, kw_only=True)
class _Find:
    """A tile at rest that a look found."""

    index: int
    """Its index among the tiles of the look."""
    thing: TrackedThing[TileEvidence]
    is_changed: bool
    """Whether its place has changed since it was last judged."""
    is_impossible: bool
    """Whether it is believed to lie face down in a river, where no tile does."""
    top: TopTile | None
    """The tile that may lie on top of it, and is seen in its place; None if there is none."""


class TileTracker:
    """Adds what looks show of tiles to what is believed of them."""

    def __init__(
        self,
        tiles: Beliefs[TileEvidence, Reading],
        tops: TopTiles,
        *,
        reader: FaceReader,
        zones: Zones,
        view: TopView,
        places: PlacesAtRest,
    ) -> None:
        """Takes the believed tiles and those on top of others, what reads faces, and where the table is seen.

        Args:
            tiles: the believed tiles.
            tops: the tiles on top of others.
            reader: reads faces.
            zones: the zones of the table.
            view: the view that the locator sees.
            places: what is at rest in it.
        """
        self._tiles = tiles
        self._tops = tops
        self._reader = reader
        self._zones = zones
        self._view = view
        self._places = places

    def track(self, frame: Frame, look: TopLook, found: Located, changed: Mask, pons: Sequence[Pon]) -> list[Detection]:
        """Tracks the tiles at rest in a frame, and reads those that need it; returns where tiles are seen.

        Args:
            frame: the frame.
            look: the frame from above.
            found: what the locator found in it.
            changed: the motion gate's cells that have changed.
            pons: the known pons on whose turned tile a fourth one may lie.
        """
        reader = LookReader(self._reader, frame.image, self._view, zones=self._zones)
        looks = self._located_tiles(reader, found)
        wanted_finds = [find for find in self._at_rest(looks, look, changed, pons) if self._wants_read(find)]
        readings_and_quads = self._read_looks(reader, look, looks, wanted_finds, self._seen(looks, changed))
        for find, (reading, quad) in zip(wanted_finds, readings_and_quads, strict=True):
            if not self._is_part_of_tile(find, reading):
                self._learn(find, reading, frame, quad)
        return looks.detections

    def _at_rest(self, looks: TileLooks, look: TopLook, changed: Mask, pons: Sequence[Pon]) -> list[_Find]:
        """Pairs the found tiles at rest with tracked ones; one on top counts as lying in the turned tile's place."""
        places = self._places
        at_rest = [i for i, detection in enumerate(looks.detections) if places.rest_of(detection) >= LEAST_REST_NS]
        tops = self._tops.seen_on_top([looks.detections[i] for i in at_rest], pons, look)
        for n, top in tops.items():
            looks.detections[at_rest[n]] = top.place
        things = self._tiles.match([looks.detections[i] for i in at_rest])
        is_new = [thing.is_unread or places.is_on(changed, thing.detection) for thing in things]
        keep_lying(things, is_new)
        return [
            _Find(
                index=index,
                thing=thing,
                is_changed=is_changed,
                is_impossible=lies_impossibly(thing, self._zones),
                top=tops.get(n),
            )
            for n, (index, thing, is_changed) in enumerate(zip(at_rest, things, is_new, strict=True))
        ]

    def _wants_read(self, find: _Find) -> bool:
        if find.top is not None:
            return find.top.wants_look
        return find.is_impossible or self._tiles.wants_look(find.thing, is_changed=find.is_changed)

    def _is_part_of_tile(self, find: _Find, reading: Reading) -> bool:
        """Returns whether a known tile reads as another face nearer to a neighbouring face than two tiles can lie.

        Then something covers a part of it, as the hand that lays the next discard: half of a 4s reads as a 2s. Where
        backs lie in a row is not known so exactly: an indicator turned between them may seem too near.
        """
        thing = find.thing
        if thing.id is None or find.top is not None or reading.tile == thing.evidence.verdict:
            return False
        faces = [other.place for other in self._tiles.believed if other is not thing and other.evidence.shows_face]
        return any(do_overlap(thing.detection, face, OVERLAPPING[1]) for face in faces)

    def _learn(self, find: _Find, reading: Reading, frame: Frame, quad: Floats) -> None:
        """Adds the reading of a find to its evidence, with the picture that `quad` cuts from the frame."""
        if find.top is not None:
            find.top.learn(reading, crops(frame.image, quad)[0])
            return
        thing, is_changed = find.thing, find.is_changed
        if find.is_impossible and reading.is_face:
            thing.picture, is_changed = None, True  # it looks as before, but is judged anew
        rest_ns = self._places.rest_of(thing.detection)
        self._tiles.learn(thing, reading, is_changed=is_changed, now_ns=frame.t_ns, rest_ns=rest_ns)
        if reading.is_face:
            thing.newest.crops.append(crops(frame.image, quad)[0])

    def _located_tiles(self, reader: LookReader, found: Located) -> TileLooks:
        """Returns the tiles that were found, corrected and completed by others that lie there."""
        looks = reader.located_tiles(found)
        looks = looks.without(finds_between(looks.detections, self._zones.size))
        things = [thing for thing in self._tiles.believed if thing.evidence.shows_face]
        faces = [PlacedTile(thing.place, thing.evidence.verdict) for thing in things]
        looks = with_parts_joined(looks, reader, faces=[face.place for face in faces])
        looks = with_rows_completed(looks, reader, known_tiles=faces)
        known_readings = self._known_readings(looks)
        completed = with_pairs_completed(looks, known_readings, reader)
        if completed is not looks:
            known_readings = self._known_readings(completed)
        return with_melds_completed(completed, known_readings, reader)

    def _known_readings(self, looks: TileLooks) -> dict[int, Reading]:
        """Returns how what was found was read by earlier looks, by index."""
        pairs = self._tiles.pairs(looks.detections)
        return {index: thing.evidence.reading() for index, thing in pairs.items() if thing.evidence.frames}

    def _read_looks(
        self,
        reader: LookReader,
        look: TopLook,
        looks: TileLooks,
        wanted_finds: Sequence[_Find],
        seen: Sequence[TrackedThing[TileEvidence]],
    ) -> list[tuple[Reading, Floats]]:
        """Returns what these finds show, each with its quad; what was found askew is straightened.

        Their colours are compared with those of believed tiles that are `seen` in this look.
        """
        chosen, things = [find.index for find in wanted_finds], [find.thing for find in wanted_finds]
        readings, quads = reader.read_found(looks, chosen)
        finds = list(zip([looks.detections[i] for i in chosen], readings, strict=True))
        others = [(thing.place, thing.evidence.reading()) for thing in self._tiles.believed if thing not in things]
        tiles = [PlacedTile(thing.place, thing.evidence.verdict) if thing.id is not None else None for thing in things]
        for index, straight in read_straightened(reader, finds, others=others, believed_tiles=tiles).items():
            readings[index], quads[index] = straight.reading, straight.quad
            things[index].detection = straight.place
        places, scores = [thing.detection for thing in things], looks.scores[chosen]
        believed, zones = self._tiles.believed, self._zones
        by_colour = with_blanks_identified(look, readings, places, scores, believed=seen, zones=zones)
        counted = counted_readings(readings, by_colour, places, scores, zones, believed=believed)
        return list(zip(counted, quads, strict=True))

    def _seen(self, looks: TileLooks, changed: Mask) -> list[TrackedThing[TileEvidence]]:
        """Returns the believed tiles at rest that were found in this look, or whose places look as in the last one."""
        places = self._places
        at_rest = [thing for thing in self._tiles.believed if places.rest_of(thing.place) >= LEAST_REST_NS]
        found = {id(thing) for thing in self._tiles.pairs(looks.detections).values()}
        return [thing for thing in at_rest if id(thing) in found or not places.is_on(changed, thing.place)]
