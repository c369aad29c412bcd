//! The packed table of sequences and pictures that `assets/emoji/vendor.py` writes.
//!
//! All numbers are varints (seven bits per byte, the lowest first) unless stated otherwise. In this order:
//! - a byte: the version, 1;
//! - the palette: the number of colours, then four bytes each, RGBA, straight alpha;
//! - the sequences, sorted by code points, without U+FE0F: their number, their total bytes, and for each the number of
//!   code points shared with the previous one, the number of remaining code points, these code points, and twice the
//!   number of its picture, plus one if it is text by default;
//! - the pictures: their number, the bytes of each, then all of them: layers from bottom to top, each the number of a
//!   path and of a colour;
//! - the paths: their number, the bytes of each, then all of them: runs of segments, each a byte (move, line,
//!   quadratic, cubic in the low two bits, the number of segments minus one above), followed by x and y of every point,
//!   as the difference from the previous point (from the origin at first), zigzag-encoded.
//!
//! Coordinates are multiples of 1/64 in a box of 32.

use kurbo::{BezPath, Point};

use crate::scene::Color;

const VERSION: u8 = 1;
/// Scales coordinates to the unit square. It is a power of two, so nothing is rounded.
const TO_UNIT: f64 = 1.0 / (32.0 * 64.0);

/// The table, decompressed from zstd. Pictures stay encoded until they are requested.
pub(super) struct Packed {
    bytes: Vec<u8>,
    palette: usize,
    points: Vec<char>,
    sequences: Vec<Sequence>,
    pictures: Blobs,
    paths: Blobs,
}

/// A listed sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sequence {
    start: u32,
    len: u8,
    /// Whether this is a single character that is text unless U+FE0F follows.
    pub text_default: bool,
    pub picture: u16,
}

/// Consecutive ranges of bytes.
struct Blobs {
    /// The start of each range, and the end of the last one.
    starts: Vec<u32>,
}

impl Blobs {
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn get<'a>(&self, bytes: &'a [u8], n: usize) -> Option<Reader<'a>> {
        let (start, end) = (*self.starts.get(n)?, *self.starts.get(n + 1)?);
        Some(Reader { rest: bytes.get(start as usize..end as usize)? })
    }
}

impl Packed {
    /// Parses the table; `None` if the bytes aren't one.
    pub(super) fn read(bytes: Vec<u8>) -> Option<Self> {
        let mut reader = Reader { rest: &bytes };
        if reader.byte()? != VERSION {
            return None;
        }
        let colors = reader.varint()? as usize;
        let palette = bytes.len() - reader.rest.len();
        reader.take(colors.checked_mul(4)?)?;
        let count = reader.varint()? as usize;
        let size = reader.varint()? as usize;
        let (points, sequences) = read_sequences(reader.take(size)?, count)?;
        let pictures = reader.blobs(bytes.len())?;
        let paths = reader.blobs(bytes.len())?;
        if sequences.iter().any(|s| usize::from(s.picture) >= pictures.len()) {
            return None;
        }
        Some(Self { palette, points, sequences, pictures, paths, bytes })
    }

    /// Returns the layers of a picture, from bottom to top, in the unit square; `None` if there is no such picture.
    pub(super) fn picture(&self, n: u16) -> Option<Vec<(BezPath, Color)>> {
        let mut reader = self.pictures.get(&self.bytes, usize::from(n))?;
        let mut layers = Vec::new();
        while !reader.rest.is_empty() {
            let path = self.paths.get(&self.bytes, reader.varint()? as usize)?.path()?;
            let at = self.palette + 4 * reader.varint()? as usize;
            let [r, g, b, a] = *self.bytes.get(at..at + 4)?.first_chunk::<4>()?;
            layers.push((path, Color { a: f32::from(a) / 255.0, ..Color::rgb8(r, g, b) }));
        }
        Some(layers)
    }

    /// Returns a walk before its first character.
    pub(super) fn walk(&self) -> Walk<'_> {
        Walk { packed: self, low: 0, high: self.sequences.len(), depth: 0 }
    }

    #[cfg(test)]
    pub(super) fn sequences(&self) -> impl Iterator<Item = (&[char], Sequence)> {
        self.sequences.iter().map(|s| (self.points_of(s), *s))
    }

    #[cfg(test)]
    pub(super) fn pictures(&self) -> u16 {
        self.pictures.len() as u16
    }

    fn points_of(&self, s: &Sequence) -> &[char] {
        &self.points[s.start as usize..][..usize::from(s.len)]
    }
}

/// A walk over the characters of a sequence: the range of sequences that begin with the characters so far.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    packed: &'a Packed,
    low: usize,
    high: usize,
    depth: usize,
}

impl Walk<'_> {
    /// Steps to the next character. If no sequence continues with it, returns false and changes nothing.
    pub(super) fn step(&mut self, c: char) -> bool {
        let open = &self.packed.sequences[self.low..self.high];
        let next = |s: &Sequence| self.packed.points_of(s).get(self.depth).copied();
        let low = open.partition_point(|s| next(s) < Some(c));
        let high = open.partition_point(|s| next(s) <= Some(c));
        if low == high {
            return false;
        }
        (self.low, self.high) = (self.low + low, self.low + high);
        self.depth += 1;
        true
    }

    /// Returns the sequence that ends here, if any.
    pub(super) fn whole(&self) -> Option<Sequence> {
        let first = self.packed.sequences.get(self.low)?;
        (usize::from(first.len) == self.depth).then_some(*first)
    }
}

fn read_sequences(bytes: &[u8], count: usize) -> Option<(Vec<char>, Vec<Sequence>)> {
    let mut reader = Reader { rest: bytes };
    let mut points: Vec<char> = Vec::new();
    let mut sequences = Vec::with_capacity(count.min(bytes.len()));
    let mut before = 0;
    for _ in 0..count {
        let start = points.len();
        let shared = reader.varint()? as usize;
        if shared > start - before {
            return None;
        }
        points.extend_from_within(before..before + shared);
        for _ in 0..reader.varint()? {
            points.push(char::from_u32(reader.varint()?)?);
        }
        if points[start..] <= points[before..start] {
            return None;
        }
        let what = reader.varint()?;
        sequences.push(Sequence {
            start: u32::try_from(start).ok()?,
            len: u8::try_from(points.len() - start).ok()?,
            text_default: what & 1 == 1,
            picture: u16::try_from(what >> 1).ok()?,
        });
        before = start;
    }
    reader.rest.is_empty().then_some((points, sequences))
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(taken)
    }

    fn varint(&mut self) -> Option<u32> {
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

    /// Reads a list of blobs, for which `total` bytes precede this position.
    fn blobs(&mut self, total: usize) -> Option<Blobs> {
        let count = self.varint()? as usize;
        let mut starts = Vec::with_capacity(count.min(self.rest.len()) + 1);
        let mut sum = 0u32;
        for _ in 0..count {
            starts.push(sum);
            sum = sum.checked_add(self.varint()?)?;
        }
        starts.push(sum);
        let base = u32::try_from(total).ok()? - u32::try_from(self.rest.len()).ok()?;
        self.take(sum as usize)?;
        starts.iter_mut().for_each(|s| *s += base);
        Some(Blobs { starts })
    }

    fn path(mut self) -> Option<BezPath> {
        let mut path = BezPath::new();
        let (mut x, mut y) = (0i32, 0i32);
        while !self.rest.is_empty() {
            let run = self.byte()?;
            for _ in 0..=run >> 2 {
                let mut point = || {
                    x = x.checked_add(self.signed()?)?;
                    y = y.checked_add(self.signed()?)?;
                    Some(Point::new(f64::from(x) * TO_UNIT, f64::from(y) * TO_UNIT))
                };
                let verb = run & 3;
                if verb == 0 {
                    close(&mut path);
                    path.move_to(point()?);
                    continue;
                }
                if path.elements().is_empty() {
                    return None;
                }
                match verb {
                    1 => path.line_to(point()?),
                    2 => path.quad_to(point()?, point()?),
                    _ => path.curve_to(point()?, point()?, point()?),
                }
            }
        }
        close(&mut path);
        Some(path)
    }
}

/// Closes the current subpath, if there is one.
fn close(path: &mut BezPath) {
    if !path.elements().is_empty() {
        path.close_path();
    }
}
