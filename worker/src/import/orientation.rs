//! The orientation of a picture. Cameras store what their sensor saw, and Exif's tag 0x0112 (Exif 2.32, section 4.6.5;
//! the bytes are those of a TIFF 6.0 header) says how to rotate it. JPEG, PNG and WebP carry Exif; AVIF has its own
//! properties.

use super::pixels::Pixels;

/// The tag, and the type of its value: an unsigned 16-bit number.
const TAG: u16 = 0x0112;
const SHORT: u16 = 3;

/// How the rows and columns of a stored picture map to the upright one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Orientation {
    /// Whether rows become columns.
    transposed: bool,
    /// Whether the order of pixels within a row, and within a column, is reversed.
    mirrored: (bool, bool),
}

impl Orientation {
    /// Reads the orientation of a file's Exif data, which starts with its TIFF header or, in some WebP files, with the
    /// prefix that JPEG puts before it. Broken data yields the default: the picture stays as it is stored.
    pub fn of(exif: &[u8]) -> Self {
        let value = read(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif)).unwrap_or(1);
        Self {
            transposed: matches!(value, 5..=8),
            mirrored: (matches!(value, 2 | 3 | 7 | 8), matches!(value, 3 | 4 | 6 | 7)),
        }
    }

    /// Adds a rotation by a quarter turn, anticlockwise.
    pub fn turned(self) -> Self {
        // The rows of the rotated picture run along the former columns, from the other end.
        let (across, down) = self.mirrored;
        match self.transposed {
            false => Self { transposed: true, mirrored: (!across, down) },
            true => Self { transposed: false, mirrored: (across, !down) },
        }
    }

    /// Adds a reflection: left for right, or else top for bottom.
    pub fn reflected(self, left_for_right: bool) -> Self {
        let (across, down) = self.mirrored;
        // In a transposed picture the stored rows are columns.
        match left_for_right != self.transposed {
            true => Self { mirrored: (!across, down), ..self },
            false => Self { mirrored: (across, !down), ..self },
        }
    }

    /// Returns the picture upright.
    pub fn upright(self, stored: Pixels) -> Pixels {
        if self == Self::default() {
            return stored;
        }
        let (across, down) = (stored.width as usize, stored.height as usize);
        let (columns, rows) = if self.transposed { (down, across) } else { (across, down) };
        let mut rgba = Vec::with_capacity(stored.rgba.len());
        for y in 0..rows {
            for x in 0..columns {
                let (column, row) = if self.transposed { (y, x) } else { (x, y) };
                let column = if self.mirrored.0 { across - 1 - column } else { column };
                let row = if self.mirrored.1 { down - 1 - row } else { row };
                let at = (row * across + column) * 4;
                rgba.extend_from_slice(&stored.rgba[at..at + 4]);
            }
        }
        Pixels { width: columns as u32, height: rows as u32, rgba }
    }
}

/// Returns the tag's value in the first directory, if any.
fn read(exif: &[u8]) -> Option<u16> {
    let tiff = match exif.get(..4)? {
        b"II*\0" => Tiff { bytes: exif, little: true },
        b"MM\0*" => Tiff { bytes: exif, little: false },
        _ => return None,
    };
    let directory = tiff.long(4)?;
    let entries = usize::from(tiff.short(directory)?);
    // A directory that claims more entries than the data holds ends with the data.
    let mut at = (0..entries).map_while(|n| directory.checked_add(2 + 12 * n).filter(|at| *at < exif.len()));
    let entry = at.find(|at| tiff.short(*at) == Some(TAG) && tiff.short(*at + 2) == Some(SHORT))?;
    tiff.short(entry + 8)
}

/// Reads the numbers of a TIFF, in the byte order of its header.
struct Tiff<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl Tiff<'_> {
    fn short(&self, at: usize) -> Option<u16> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    fn long(&self, at: usize) -> Option<usize> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        usize::try_from(if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }).ok()
    }
}

#[cfg(test)]
mod tests {
    use fleet::import::PictureKind;
    use proptest::prelude::*;
    use render_core::encode::{ImageFormat, encode};
    use render_core::raster::Pixmap;

    use super::*;
    use crate::import::decode::decoded;

    const RED: [u8; 3] = [210, 30, 30];
    const GREEN: [u8; 3] = [30, 160, 60];
    const BLUE: [u8; 3] = [30, 60, 200];
    const WHITE: [u8; 3] = [250, 250, 250];
    /// The corners of the picture upright: upper left, upper right, lower left, lower right.
    const UPRIGHT: [[u8; 3]; 4] = [RED, GREEN, BLUE, WHITE];
    /// The size of the upright picture.
    const SIZE: (u32, u32) = (48, 32);

    /// Which corner of the upright picture each corner of the stored one is, by orientation. The tag says where the
    /// first row and the first column appear (1: top, left; 2: top, right; 3: bottom, right; 4: bottom, left; 5: left,
    /// top; 6: right, top; 7: right, bottom; 8: left, bottom).
    const STORED: [[usize; 4]; 8] = [
        [0, 1, 2, 3],
        [1, 0, 3, 2],
        [3, 2, 1, 0],
        [2, 3, 0, 1],
        [0, 2, 1, 3],
        [1, 3, 0, 2],
        [3, 1, 2, 0],
        [2, 0, 3, 1],
    ];

    /// Returns Exif data with a directory of two entries, the second of which is the orientation.
    fn exif(little: bool, orientation: u16) -> Vec<u8> {
        let short = |v: u16| if little { v.to_le_bytes() } else { v.to_be_bytes() };
        let long = |v: u32| if little { v.to_le_bytes() } else { v.to_be_bytes() };
        let entry = |tag, value| [&short(tag)[..], &short(SHORT), &long(1), &short(value), &[0, 0]].concat();
        let header = if little { b"II*\0" } else { b"MM\0*" };
        let directory = [&short(2)[..], &entry(0x0106, 6), &entry(TAG, orientation), &long(0)].concat();
        [&header[..], &long(8), &directory].concat()
    }

    /// Returns a JPEG of four fields, with `exif` in it.
    fn jpeg((width, height): (u32, u32), corners: [[u8; 3]; 4], exif: &[u8]) -> Vec<u8> {
        let field = |x: u32, y: u32| corners[usize::from(x >= width / 2) + 2 * usize::from(y >= height / 2)];
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let data = pixels.flat_map(|(x, y)| field(x, y)).collect();
        let file = encode(&Pixmap { width, height, data }, ImageFormat::Jpeg).unwrap();
        let length = u16::try_from(2 + 6 + exif.len()).unwrap().to_be_bytes();
        [&file[..2], &[0xff, 0xe1], &length, b"Exif\0\0", exif, &file[2..]].concat()
    }

    /// Returns the size of a picture, and the colours in the centres of its four fields.
    fn seen(file: &[u8]) -> ((u32, u32), [[u8; 3]; 4]) {
        let picture = decoded(PictureKind::Jpeg, file).unwrap();
        let (w, h) = (picture.width, picture.height);
        let at = |x: u32, y: u32| {
            let from = ((y * w + x) * 4) as usize;
            [picture.rgba[from], picture.rgba[from + 1], picture.rgba[from + 2]]
        };
        ((w, h), [at(w / 4, h / 4), at(3 * w / 4, h / 4), at(w / 4, 3 * h / 4), at(3 * w / 4, 3 * h / 4)])
    }

    fn is_upright(file: &[u8]) {
        let (size, corners) = seen(file);
        assert_eq!(size, SIZE);
        let near = |a: &[u8; 3], b: &[u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 30);
        assert!(corners.iter().zip(&UPRIGHT).all(|(a, b)| near(a, b)), "{corners:?}");
    }

    #[test]
    fn a_photograph_stands_upright_whichever_way_it_is_stored() {
        for (value, corners) in (1..).zip(STORED) {
            let size = if value <= 4 { SIZE } else { (SIZE.1, SIZE.0) };
            for little in [true, false] {
                is_upright(&jpeg(size, corners.map(|n| UPRIGHT[n]), &exif(little, value)));
            }
        }
        // Unknown values mean no orientation.
        for value in [0, 9, u16::MAX] {
            is_upright(&jpeg(SIZE, UPRIGHT, &exif(true, value)));
        }
    }

    #[test]
    fn exif_that_is_broken_leaves_the_picture_as_it_is() {
        for little in [true, false] {
            let turned = exif(little, 6);
            assert_ne!(Orientation::of(&turned), Orientation::default());
            // Data that is cut off before the value yields no orientation; missing data after it does no harm.
            let needed = turned.len() - 6;
            for end in 0..turned.len() {
                assert_eq!(Orientation::of(&turned[..end]) == Orientation::default(), end < needed, "{end}");
            }
            is_upright(&jpeg(SIZE, UPRIGHT, &turned[..needed - 1]));
            let mut far = turned.clone();
            far[4..8].fill(0xff);
            let mut many = turned.clone();
            many[8..10].fill(0xff);
            assert_eq!(Orientation::of(&far), Orientation::default());
            assert_eq!(Orientation::of(&many), Orientation::of(&turned));
            is_upright(&jpeg(SIZE, UPRIGHT, &far));
        }
        is_upright(&jpeg(SIZE, UPRIGHT, b"no TIFF"));
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_wild(bytes in proptest::collection::vec(any::<u8>(), 0..120), little in any::<bool>()) {
            let header = if little { b"II*\0" } else { b"MM\0*" };
            for wild in [bytes.clone(), [&header[..], &bytes].concat()] {
                prop_assert!(read(&wild).is_none_or(|_| wild.len() > 18));
            }
        }
    }
}
