//! A packed table of icons or of marks that `assets/icons/vendor.py` writes.
//!
//! All numbers are varints (seven bits per byte, the lowest first) unless stated otherwise. A text is its number of
//! bytes, followed by the bytes. In this order:
//! - a byte: the version, 1;
//! - the number of icons, the number of languages, and the codes of the languages as texts;
//! - for each icon its name and, for each language, the words that select it (`concepts.toml` describes their
//!   notation), as texts;
//! - for each set the side of its box, in 1/64, and then for each icon the number of bytes of its strokes and of its
//!   fills, followed by both. If both are empty, the set lacks the icon.
//!
//! A path is a sequence of runs of segments, each a byte (move, line, cubic, close in the low two bits, the number of
//! segments minus one above), followed by x and y of every point in multiples of 1/64, as the difference from the
//! previous point (from the origin at first), zigzag-encoded.

use kurbo::{BezPath, Point};

const VERSION: u8 = 1;
const UNITS: f64 = 64.0;

/// The table, decompressed from zstd. Drawings stay encoded until they are requested.
pub(super) struct Packed {
    bytes: Vec<u8>,
    /// Names, in the order of their numbers.
    pub names: Vec<String>,
    /// Primary subtags, with each icon's words in that language.
    pub words: Vec<(String, Vec<String>)>,
    sets: Vec<Drawings>,
}

/// One set: the factor that scales coordinates to the unit square, and the position of each icon's bytes.
struct Drawings {
    to_unit: f64,
    places: Vec<Place>,
}

/// Strokes are from `start` to `middle`, fills from there to `end`.
struct Place {
    start: usize,
    middle: usize,
    end: usize,
}

impl Packed {
    /// Parses a table with this many sets; `None` if the bytes aren't one.
    pub(super) fn read(bytes: Vec<u8>, sets: usize) -> Option<Self> {
        let mut reader = Reader::new(&bytes);
        if reader.byte()? != VERSION {
            return None;
        }
        let count = reader.varint()? as usize;
        let languages = reader.varint()?;
        let mut words = Vec::new();
        for _ in 0..languages {
            words.push((reader.text()?.to_owned(), Vec::new()));
        }
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(reader.text()?.to_owned());
            for (_, list) in &mut words {
                list.push(reader.text()?.to_owned());
            }
        }
        let mut drawn = Vec::new();
        for _ in 0..sets {
            let to_unit = 1.0 / (f64::from(reader.varint()?) * UNITS);
            let mut places = Vec::new();
            for _ in 0..count {
                let (strokes, fills) = (reader.varint()? as usize, reader.varint()? as usize);
                let start = bytes.len() - reader.rest.len();
                reader.take(strokes.checked_add(fills)?)?;
                places.push(Place { start, middle: start + strokes, end: start + strokes + fills });
            }
            drawn.push(Drawings { to_unit, places });
        }
        if !reader.rest.is_empty() {
            return None;
        }
        Some(Self { names, words, sets: drawn, bytes })
    }

    /// Returns the strokes and the fills of an icon in the unit square, either of which may be empty; `None` if there
    /// is no such icon or its bytes are invalid.
    pub(super) fn drawing(&self, set: usize, icon: usize) -> Option<(BezPath, BezPath)> {
        let drawings = self.sets.get(set)?;
        let place = drawings.places.get(icon)?;
        let path = |from, to| Reader::new(self.bytes.get(from..to)?).path(drawings.to_unit);
        Some((path(place.start, place.middle)?, path(place.middle, place.end)?))
    }
}

/// The remaining bytes of a table.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Creates a reader of all these bytes.
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Returns whether all bytes were read.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads a byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Reads `n` bytes.
    pub(super) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(taken)
    }

    /// Reads a number.
    pub(super) fn varint(&mut self) -> Option<u32> {
        let mut n = 0;
        for shift in (0..28).step_by(7) {
            let byte = self.byte()?;
            n |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    /// Reads a zigzag-encoded number: 0, −1, 1, −2, …
    fn signed(&mut self) -> Option<i32> {
        let n = self.varint()?.cast_signed();
        Some((n >> 1) ^ -(n & 1))
    }

    /// Reads a text.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let size = self.varint()? as usize;
        std::str::from_utf8(self.take(size)?).ok()
    }

    fn path(mut self, to_unit: f64) -> Option<BezPath> {
        let mut path = BezPath::new();
        let (mut x, mut y) = (0i32, 0i32);
        while !self.rest.is_empty() {
            let run = self.byte()?;
            for _ in 0..=run >> 2 {
                let mut point = || {
                    x = x.checked_add(self.signed()?)?;
                    y = y.checked_add(self.signed()?)?;
                    Some(Point::new(f64::from(x) * to_unit, f64::from(y) * to_unit))
                };
                let verb = run & 3;
                if verb != 0 && path.elements().is_empty() {
                    return None;
                }
                match verb {
                    0 => path.move_to(point()?),
                    1 => path.line_to(point()?),
                    2 => path.curve_to(point()?, point()?, point()?),
                    _ => path.close_path(),
                }
            }
        }
        Some(path)
    }
}
