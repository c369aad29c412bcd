//! Reads the order of a tagged PDF (PDF 2.0, 14.7 and 14.8): its structure tree lists the marked content of each page,
//! block by block.

use std::collections::BTreeMap;

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Number, Object, ObjectIdentifier};

/// Limit of a tree's elements, and of their nesting depth.
const ELEMENTS: usize = 200_000;
const DEPTH: usize = 100;
/// Length limit of a chain of role mappings.
const ROLES: usize = 8;

/// The position of marked content in the order of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The block that it belongs to: a paragraph, a heading, an item, a cell.
    pub block: u32,
    /// Its number in the whole document.
    pub nth: u32,
}

/// The positions of a page's marked content, by the form that contains it, if any, and its number (MCID) there.
pub type Places = BTreeMap<(Option<ObjectIdentifier>, u32), Place>;

/// Returns the positions of every page's marked content; empty if the file has no tags.
pub fn places(pdf: &Pdf) -> Vec<Places> {
    let pages = pdf.pages();
    let root = || pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?.get::<Dict<'_>>("StructTreeRoot");
    let Some(root) = root() else { return Vec::new() };
    let numbers = pages.iter().enumerate().filter_map(|(n, page)| Some((page.raw().obj_id()?, n))).collect();
    let mut reader = Reader {
        numbers,
        roles: root.get::<Dict<'_>>("RoleMap"),
        places: vec![Places::new(); pages.len()],
        elements: 0,
        block: 0,
        nth: 0,
    };
    reader.children(&root, Within { page: None, block: Block::None, depth: 0 });
    reader.places
}

/// The context of an element.
#[derive(Debug, Clone, Copy)]
struct Within {
    page: Option<usize>,
    block: Block,
    depth: usize,
}

/// The block that content belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// None: each marked content there is a block of its own.
    None,
    /// A paragraph or the like.
    Open(u32),
    /// A block that includes its paragraphs.
    Whole(u32),
}

struct Reader<'a> {
    numbers: BTreeMap<ObjectIdentifier, usize>,
    roles: Option<Dict<'a>>,
    places: Vec<Places>,
    elements: usize,
    block: u32,
    nth: u32,
}

impl<'a> Reader<'a> {
    fn children(&mut self, element: &Dict<'a>, within: Within) {
        match element.get::<Object<'a>>("K") {
            Some(Object::Array(kids)) => self.kids(&kids, within),
            Some(kid) => self.kid(kid, within),
            None => {}
        }
    }

    fn kids(&mut self, kids: &Array<'a>, within: Within) {
        for kid in kids.iter::<Object<'a>>() {
            self.kid(kid, within);
        }
    }

    fn kid(&mut self, kid: Object<'a>, within: Within) {
        self.elements += 1;
        if self.elements > ELEMENTS || within.depth > DEPTH {
            return;
        }
        match kid {
            Object::Number(id) => self.content(within.page, None, id, within.block),
            Object::Dict(dict) => {
                let page = dict.get_ref("Pg").and_then(|page| self.numbers.get(&page.into()).copied()).or(within.page);
                match dict.get::<Name<'_>>("S") {
                    Some(kind) => {
                        let block = self.opened(kind.as_ref(), within.block);
                        self.children(&dict, Within { page, block, depth: within.depth + 1 });
                    }
                    // A reference to marked content; references to objects have no number.
                    None => {
                        if let Some(id) = dict.get::<Number>("MCID") {
                            self.content(page, dict.get_ref("Stm").map(Into::into), id, within.block);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn content(&mut self, page: Option<usize>, form: Option<ObjectIdentifier>, id: Number, block: Block) {
        let Some(places) = page.and_then(|page| self.places.get_mut(page)) else { return };
        let Ok(id) = u32::try_from(id.as_i64()) else { return };
        let block = match block {
            Block::Open(block) | Block::Whole(block) => block,
            Block::None => {
                self.block += 1;
                self.block
            }
        };
        self.nth += 1;
        places.entry((form, id)).or_insert(Place { block, nth: self.nth });
    }

    /// Returns the block that the content of an element belongs to.
    fn opened(&mut self, kind: &[u8], around: Block) -> Block {
        let kind = self.role(kind);
        match kind.as_slice() {
            b"Span" | b"Quote" | b"Link" | b"Reference" | b"Code" | b"Em" | b"Strong" | b"Sub" | b"Annot" | b"Lbl"
            | b"LBody" | b"Ruby" | b"RB" | b"RT" | b"RP" | b"Warichu" | b"WT" | b"WP" | b"BibEntry" | b"NonStruct"
            | b"Private" | b"Div" | b"Part" | b"Sect" => around,
            b"P" if matches!(around, Block::Whole(_)) => around,
            b"LI" | b"TD" | b"TH" | b"Caption" | b"Note" | b"FENote" | b"TOCI" => {
                self.block += 1;
                Block::Whole(self.block)
            }
            b"P" | b"Figure" | b"Formula" | b"H" | b"Title" => {
                self.block += 1;
                Block::Open(self.block)
            }
            [b'H', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => {
                self.block += 1;
                Block::Open(self.block)
            }
            _ => Block::None,
        }
    }

    /// Returns the standard type that a file's own type maps to.
    fn role(&self, kind: &[u8]) -> Vec<u8> {
        let mut kind = kind.to_vec();
        for _ in 0..ROLES {
            match self.roles.as_ref().and_then(|roles| roles.get::<Name<'_>>(&kind)) {
                Some(role) if role.as_ref() != kind => kind = role.as_ref().to_vec(),
                _ => break,
            }
        }
        kind
    }
}
