//! The container of an AVIF file (ISO/IEC 23008-12, HEIF): the items that form the picture, their properties and their
//! bytes. Every list ends with the bytes that contain it, so a broken count or size never reads beyond the file.

use super::super::orientation::Orientation;

/// Message for a file with invalid boxes.
const BROKEN: &str = "this AVIF can't be read: its boxes are broken";
/// Limit of items, of properties and of associations per file.
const MOST: usize = 4_096;
/// The type of an auxiliary picture that holds transparency.
const ALPHA: &[u8] = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0";

/// The items of a file and their properties.
#[derive(Debug, Default)]
pub(super) struct Container<'a> {
    file: &'a [u8],
    /// The contents of the `idat` box.
    inner: &'a [u8],
    primary: u32,
    kinds: Vec<(u32, [u8; 4])>,
    places: Vec<(u32, Place)>,
    /// Type, from, to.
    references: Vec<([u8; 4], u32, u32)>,
    properties: Vec<([u8; 4], &'a [u8])>,
    /// Item, and the 1-based index of its property.
    associations: Vec<(u32, usize)>,
}

/// Where an item's bytes are stored.
#[derive(Debug, Clone, Default)]
struct Place {
    /// Whether the offsets refer to `idat` rather than the file.
    inner: bool,
    /// Offset and length of each part; a length of 0 means everything that follows.
    parts: Vec<(usize, usize)>,
}

/// How the tiles of a picture are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    pub columns: usize,
    pub width: u32,
    pub height: u32,
}

/// The code points of a picture (ITU-T H.273).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coding {
    pub primaries: u8,
    pub transfer: u8,
    pub matrix: u8,
    pub full_range: bool,
}

impl<'a> Container<'a> {
    /// Reads the boxes of a file.
    ///
    /// # Errors
    /// Why the file can't be read, as a message to its sender.
    pub fn read(file: &'a [u8]) -> Result<Self, String> {
        let meta = boxes(file).find(|(kind, _)| kind == b"meta").and_then(|(_, meta)| meta.get(4..)).ok_or(BROKEN)?;
        let mut container = Self { file, ..Self::default() };
        for (kind, body) in boxes(meta) {
            let mut bytes = Bytes(body);
            let read = match &kind {
                b"pitm" => bytes.version().and_then(|v| bytes.id(v > 0)).map(|id| container.primary = id),
                b"iinf" => container.items(bytes),
                b"iloc" => container.locations(bytes),
                b"iref" => container.referring(bytes),
                b"iprp" => container.described(body),
                b"idat" => {
                    container.inner = body;
                    Some(())
                }
                _ => Some(()),
            };
            read.ok_or(BROKEN)?;
        }
        Ok(container)
    }

    /// Returns the item of the picture that is shown.
    pub fn primary(&self) -> u32 {
        self.primary
    }

    /// Returns the coded pictures of an item, row by row, and their arrangement if there are several.
    ///
    /// # Errors
    /// The item's type is not supported.
    pub fn coded(&self, item: u32) -> Result<(Vec<Vec<u8>>, Option<Grid>), String> {
        let kind = self.kinds.iter().find(|(id, _)| *id == item).map(|(_, kind)| kind);
        match kind {
            Some(b"av01") => Ok((vec![self.bytes(item)?], None)),
            Some(b"grid") => {
                let (rows, grid) = grid(&self.bytes(item)?).ok_or(BROKEN)?;
                let tiles: Vec<u32> = self.referred(b"dimg", item).collect();
                if tiles.len() != rows * grid.columns {
                    return Err(BROKEN.into());
                }
                Ok((tiles.into_iter().map(|tile| self.bytes(tile)).collect::<Result<_, _>>()?, Some(grid)))
            }
            _ => Err("this AVIF can't be read: its picture is not coded as AV1".into()),
        }
    }

    /// Returns the item of the primary picture's transparency, and whether its colours are premultiplied by it.
    pub fn alpha(&self) -> Option<(u32, bool)> {
        let is_alpha =
            |id: &u32| self.property(*id, b"auxC").is_some_and(|p| p.get(4..).is_some_and(|t| t.starts_with(ALPHA)));
        let of_primary = self.references.iter().filter(|(kind, _, to)| kind == b"auxl" && *to == self.primary);
        let alpha = of_primary.map(|(_, from, _)| *from).find(is_alpha)?;
        Some((alpha, self.referred(b"prem", self.primary).any(|to| to == alpha)))
    }

    /// Returns the ICC profile of the primary picture.
    pub fn icc(&self) -> Option<&'a [u8]> {
        let colours = self.properties_of(self.primary).filter(|(kind, _)| kind == b"colr").map(|(_, body)| body);
        colours.filter_map(|c| c.strip_prefix(b"prof").or_else(|| c.strip_prefix(b"rICC"))).next()
    }

    /// Returns the code points of an item.
    pub fn coding(&self, item: u32) -> Option<Coding> {
        let mut colours = self.properties_of(item).filter(|(kind, _)| kind == b"colr").map(|(_, body)| body);
        let mut bytes = Bytes(colours.find_map(|c| c.strip_prefix(b"nclx"))?);
        // The file has two bytes for each, whose values all fit one.
        let mut code = || bytes.number(2).and_then(|v| u8::try_from(v).ok());
        let (primaries, transfer, matrix) = (code()?, code()?, code()?);
        Some(Coding { primaries, transfer, matrix, full_range: bytes.number(1)? & 0x80 != 0 })
    }

    /// Returns how the primary picture is rotated and mirrored, applied in the order of the file.
    pub fn orientation(&self) -> Orientation {
        self.properties_of(self.primary).fold(Orientation::default(), |stands, (kind, body)| match (&kind, body) {
            (b"irot", [quarters, ..]) => (0..quarters & 3).fold(stands, |s, _| s.turned()),
            (b"imir", [axis, ..]) => stands.reflected(axis & 1 == 1),
            _ => stands,
        })
    }

    fn items(&mut self, mut bytes: Bytes<'a>) -> Option<()> {
        let wide = bytes.version()? > 0;
        bytes.number(if wide { 4 } else { 2 })?;
        for (kind, body) in boxes(bytes.0).take(MOST) {
            let mut entry = Bytes(body);
            if kind == *b"infe"
                && let version @ 2.. = entry.version()?
            {
                let id = entry.id(version > 2)?;
                entry.take(2)?;
                self.kinds.push((id, entry.take(4)?.try_into().ok()?));
            }
        }
        Some(())
    }

    fn locations(&mut self, mut bytes: Bytes<'a>) -> Option<()> {
        let version = bytes.version()?;
        let sizes = bytes.number(2)?;
        let nibble = |at: u32| (sizes >> at & 15) as usize;
        let (offset, length, base, index) = (nibble(12), nibble(8), nibble(4), nibble(0));
        for _ in 0..bytes.id(version > 1)?.min(MOST as u32) {
            let id = bytes.id(version > 1)?;
            let mut place = Place::default();
            if version > 0 {
                place.inner = match bytes.number(2)? & 15 {
                    0 => false,
                    1 => true,
                    _ => return None,
                };
            }
            // Data in other files can't be read.
            let elsewhere = bytes.number(2)? != 0;
            let from = bytes.number(base)?;
            for _ in 0..bytes.number(2)? {
                if version > 0 {
                    bytes.number(index)?;
                }
                let at = bytes.number(offset)?.checked_add(from)?;
                place.parts.push((usize::try_from(at).ok()?, usize::try_from(bytes.number(length)?).ok()?));
            }
            if !elsewhere {
                self.places.push((id, place));
            }
        }
        Some(())
    }

    fn referring(&mut self, mut bytes: Bytes<'a>) -> Option<()> {
        let wide = bytes.version()? > 0;
        for (kind, body) in boxes(bytes.0) {
            let mut entry = Bytes(body);
            let from = entry.id(wide)?;
            for _ in 0..entry.number(2)? {
                let to = entry.id(wide)?;
                if self.references.len() < MOST {
                    self.references.push((kind, from, to));
                }
            }
        }
        Some(())
    }

    fn described(&mut self, body: &'a [u8]) -> Option<()> {
        for (kind, body) in boxes(body) {
            let mut bytes = Bytes(body);
            match &kind {
                b"ipco" => self.properties.extend(boxes(body).take(MOST)),
                b"ipma" => {
                    let head = bytes.number(4)?;
                    let (version, wide) = (head >> 24, head & 1 == 1);
                    for _ in 0..bytes.number(4)? {
                        let id = bytes.id(version > 0)?;
                        for _ in 0..bytes.number(1)? {
                            let number = if wide { bytes.number(2)? & 0x7fff } else { bytes.number(1)? & 0x7f };
                            if self.associations.len() < MOST {
                                self.associations.push((id, number as usize));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Some(())
    }

    fn referred(&self, kind: &'static [u8; 4], from: u32) -> impl Iterator<Item = u32> {
        self.references.iter().filter(move |(k, f, _)| k == kind && *f == from).map(|(.., to)| *to)
    }

    fn properties_of(&self, item: u32) -> impl Iterator<Item = ([u8; 4], &'a [u8])> {
        let own = self.associations.iter().filter(move |(id, _)| *id == item);
        own.filter_map(|(_, number)| self.properties.get(number.checked_sub(1)?).copied())
    }

    fn property(&self, item: u32, kind: &[u8; 4]) -> Option<&'a [u8]> {
        self.properties_of(item).find(|(k, _)| k == kind).map(|(_, body)| body)
    }

    fn bytes(&self, item: u32) -> Result<Vec<u8>, String> {
        let (_, place) = self.places.iter().find(|(id, _)| *id == item).ok_or(BROKEN)?;
        let from = if place.inner { self.inner } else { self.file };
        let mut bytes = Vec::new();
        for (at, length) in &place.parts {
            let rest = from.get(*at..).ok_or(BROKEN)?;
            let part = if *length == 0 { rest } else { rest.get(..*length).ok_or(BROKEN)? };
            // A file may refer to the same bytes repeatedly.
            if bytes.len() + part.len() > self.file.len() {
                return Err(BROKEN.into());
            }
            bytes.extend_from_slice(part);
        }
        Ok(bytes)
    }
}

/// Returns the number of rows and the grid that an item describes.
fn grid(body: &[u8]) -> Option<(usize, Grid)> {
    let mut bytes = Bytes(body);
    bytes.take(1)?;
    let edge = if bytes.number(1)? & 1 == 1 { 4 } else { 2 };
    let (rows, columns) = (bytes.number(1)? as usize + 1, bytes.number(1)? as usize + 1);
    let width = u32::try_from(bytes.number(edge)?).ok()?;
    let height = u32::try_from(bytes.number(edge)?).ok()?;
    Some((rows, Grid { columns, width, height }))
}

/// Iterates over consecutive boxes, by type and body; ends at one that is cut off.
fn boxes(bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    let mut rest = Bytes(bytes);
    std::iter::from_fn(move || {
        let all = rest.0.len();
        let mut head = Bytes(rest.0);
        let short = head.number(4)?;
        let kind = head.take(4)?.try_into().ok()?;
        let size = match short {
            0 => all,
            1 => usize::try_from(head.number(8)?).ok()?,
            short => short as usize,
        };
        let body = size.checked_sub(all - head.0.len())?;
        let body = head.take(body)?;
        rest = head;
        Some((kind, body))
    })
}

/// Bytes that are read from the front, big-endian.
#[derive(Debug, Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads a number of at most 8 bytes.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        let taken = self.take(bytes).filter(|b| b.len() <= 8)?;
        Some(taken.iter().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    /// Reads an item ID or an item count.
    fn id(&mut self, wide: bool) -> Option<u32> {
        u32::try_from(self.number(if wide { 4 } else { 2 })?).ok()
    }

    /// Reads the version of a full box; skips its flags.
    fn version(&mut self) -> Option<u8> {
        Some((self.number(4)? >> 24) as u8)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FILE: &[u8] = include_bytes!("../../../../tests/data/pictures/sheer.avif");

    #[test]
    fn the_items_of_a_file_are_found() {
        let container = Container::read(FILE).unwrap();
        let (alpha, multiplied) = container.alpha().unwrap();
        assert!(alpha != container.primary() && !multiplied);
        for item in [container.primary(), alpha] {
            let (coded, grid) = container.coded(item).unwrap();
            assert!(coded.len() == 1 && !coded[0].is_empty() && grid.is_none());
        }
        assert!(container.coded(9).is_err());
        assert_eq!(container.coding(container.primary()).unwrap().transfer, 13);
        assert_eq!(grid(&[0, 0, 1, 2, 4, 0, 3, 0]), Some((2, Grid { columns: 3, width: 1024, height: 768 })));
    }

    #[test]
    fn what_is_cut_off_is_broken() {
        for end in 0..FILE.len() {
            if let Ok(container) = Container::read(&FILE[..end]) {
                let _ = (container.coded(container.primary()), container.alpha(), container.icc());
            }
        }
        assert!(Container::read(&FILE[..40]).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_wild(changes in proptest::collection::vec((0..FILE.len(), any::<u8>()), 1..12)) {
            let mut file = FILE.to_vec();
            changes.into_iter().for_each(|(at, byte)| file[at] = byte);
            if let Ok(container) = Container::read(&file) {
                let coded = container.coded(container.primary());
                prop_assert!(coded.is_err() || coded.unwrap().0.iter().all(|c| c.len() <= file.len()));
                let _ = (container.alpha(), container.coding(1), container.orientation());
            }
        }
    }
}
