//! [`Leaf`]: a page as a tree, and how it is written and set.

use std::collections::{BTreeMap, BTreeSet};

use crate::compose::Composed;
use crate::content::Language;
use crate::design::{Brand, Faces, Logo, Manner, Palette, Photo, Slide, Style, Theme};
use crate::format::{Format, FormatId};
use crate::inspect::Against;
use crate::limits::{PAGE_FAULTS, SCENE_ITEMS, SLOT_CHARS};
use crate::sheet::{self, Setting, Sheet};
use crate::text::Fonts;
use crate::tree::{Fault, Kind, Node, Tree};
use crate::warning::Warning;
use crate::{elements, markup, pictures};

/// Sizes in du that look the same.
const SAME_SIZE: f32 = 0.5;

/// A page as a tree, with everything that it is set with.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// The format.
    pub format: FormatId,
    /// Its place in a carousel; `None` for a visual.
    pub slide: Option<Slide>,
    /// The style.
    pub style: Style,
    /// Its colours, resolved.
    pub palette: Palette,
    /// Its families.
    pub faces: Faces,
    /// What the brand is called; empty without one.
    pub brand: String,
    /// The brand's logos for light and for dark grounds.
    pub logos: [Option<Logo>; 2],
    /// Photographs by the names that its `img` elements call them by.
    pub photos: Vec<(String, Photo)>,
    /// The language of its words.
    pub language: Language,
    /// Whatever is chosen by chance is chosen by this.
    pub seed: u64,
    /// A description for people who can't see the picture.
    pub alt_text: String,
    /// The largest sizes in du of its fit groups, where other pages of its set have smaller ones.
    pub groups: Vec<(String, f32)>,
    /// The page in the page language.
    pub markup: String,
    /// What the reader should know about this page.
    pub warnings: Vec<Warning>,
}

/// Pages that somebody wrote, and what they are to be set with.
pub struct Written<'a> {
    /// One or several pages in the page language.
    pub text: &'a str,
    /// The format.
    pub format: &'static Format,
    /// The style.
    pub style: Style,
    /// The brand.
    pub brand: Option<&'a Brand>,
    /// The language; found in the words where `None`.
    pub language: Option<Language>,
    /// Photographs by the names that `img` elements call them by.
    pub photos: Vec<(String, Photo)>,
    /// Whatever is chosen by chance is chosen by this.
    pub seed: u64,
    /// The fonts.
    pub fonts: &'a Fonts,
}

/// Reads pages without setting them.
///
/// # Errors
/// Every fault of their text.
pub fn read(text: &str) -> Result<Vec<Tree>, Vec<Fault>> {
    let trees = markup::parse_all(text, &elements::VOCABULARY)?;
    // Whether a picture is there, and takes these parameters, does not depend on the style.
    let several = trees.len() > 1;
    let resolved = trees.iter().enumerate().filter_map(|(index, tree)| {
        let faults = pictures::resolve(tree, Manner::Flat, 0).err()?;
        Some(faults.into_iter().map(move |fault| located(fault, index, several)))
    });
    let faults: Vec<Fault> = resolved.flatten().collect();
    if faults.is_empty() { Ok(trees) } else { Err(faults) }
}

/// The photographs that pages name, each once, in document order: the id of the first `img` element that names it, and its
/// `src`.
pub fn sources(trees: &[Tree]) -> Vec<(String, String)> {
    let several = trees.len() > 1;
    let pages = trees.iter().enumerate();
    let named = pages.flat_map(|(index, tree)| tree.root.walk().map(move |node| (index, node)));
    let source = |(index, node): (usize, &Node)| {
        let fault = located(Fault::new(node.id.clone(), ""), index, several);
        Some((fault.element, node.get("src")?.trim().to_owned()))
    };
    let mut seen = BTreeSet::new();
    named.filter_map(source).filter(|(_, source)| seen.insert(source.clone())).collect()
}

/// A fault of one of several pages, by the page's number.
pub(super) fn located(fault: Fault, index: usize, several: bool) -> Fault {
    if several { Fault::new(format!("page-{}/{}", index + 1, fault.element), fault.message) } else { fault }
}

/// The pages that somebody wrote, as leaves. Several pages of a carousel's format are its slides; of any other format,
/// pictures of their own.
///
/// # Errors
/// Every fault: of their text, or of what doesn't fit in the format.
pub fn leaves(written: Written<'_>) -> Result<Vec<Leaf>, Vec<Fault>> {
    let trees = read(written.text)?;
    let Written { format, style, brand, photos, seed, fonts, .. } = written;
    let words: Vec<String> = trees.iter().map(spoken).collect();
    let language = written.language.unwrap_or_else(|| Language::detect(&words.join("\n")));
    let faces = sheet::faces(&trees, style, brand, &language, seed, fonts);
    let count = u32::try_from(trees.len()).unwrap_or(u32::MAX);
    let mut leaves: Vec<Leaf> = (0..count)
        .zip(&trees)
        .map(|(index, tree)| Leaf {
            format: format.id,
            slide: format.carousel.then_some(Slide { index, count }),
            style,
            palette: sheet::palette(tree, style, brand, seed),
            faces,
            brand: brand.map(|b| b.name.clone()).unwrap_or_default(),
            logos: brand.map(|b| [b.logo.clone(), b.logo_dark.clone()]).unwrap_or_default(),
            photos: named_photos(tree, &photos),
            language: language.clone(),
            seed,
            alt_text: alt_text(tree),
            groups: shared_groups(tree),
            markup: markup::print(tree),
            warnings: Vec::new(),
        })
        .collect();
    let mut faults = Vec::new();
    for (index, (leaf, tree)) in leaves.iter_mut().zip(&trees).enumerate() {
        let wrong = leaf.fit(tree, fonts).err().unwrap_or_default();
        faults.extend(wrong.into_iter().map(|fault| located(fault, index, count > 1)));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    agree(&mut leaves, &trees, fonts);
    Ok(leaves)
}

/// Sets the pages of a carousel again whose fit groups are larger than those of other pages.
fn agree(leaves: &mut [Leaf], trees: &[Tree], fonts: &Fonts) {
    let mut least: BTreeMap<String, f32> = BTreeMap::new();
    for (name, size) in leaves.iter().filter(|l| l.slide.is_some()).flat_map(|l| &l.groups) {
        least.entry(name.clone()).and_modify(|least| *least = least.min(*size)).or_insert(*size);
    }
    for (leaf, tree) in leaves.iter_mut().zip(trees) {
        let caps = std::mem::take(&mut leaf.groups).into_iter().filter_map(|(name, size)| {
            let least = *least.get(&name)?;
            (size - least > SAME_SIZE && least.is_finite()).then_some((name, least))
        });
        let capped = Leaf { groups: caps.collect(), ..leaf.clone() };
        // Smaller type may break worse: such a page keeps its own sizes.
        if !capped.groups.is_empty() && capped.clone().fit(tree, fonts).is_ok() {
            *leaf = capped;
        }
    }
}

impl Leaf {
    /// Sets the page, and notes its warnings and the sizes that its fit groups have.
    ///
    /// # Errors
    /// What doesn't fit.
    fn fit(&mut self, tree: &Tree, fonts: &Fonts) -> Result<(), Vec<Fault>> {
        let sheet = self.sheet(tree, fonts)?;
        let items = sheet.scene.items.len();
        let full = format!("draws {items} shapes; {SCENE_ITEMS} are the most");
        let mut faults = sheet.faults;
        faults.extend((items > SCENE_ITEMS).then(|| Fault::new("page", full)));
        faults.truncate(PAGE_FAULTS);
        (self.warnings, self.groups) = (sheet.warnings, sheet.groups);
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Sets the page. The scene is in du and serves every resolution of its format.
    ///
    /// # Errors
    /// The faults of its text, where an engine of another version wrote it.
    pub fn compose(&self, fonts: &Fonts) -> Result<Composed, Vec<Fault>> {
        let tree = markup::parse(&self.markup, &elements::VOCABULARY)?;
        let sheet = self.sheet(&tree, fonts)?;
        let broken = !sheet.faults.is_empty();
        let Sheet { scene, warnings, faults, elements, .. } = sheet;
        Ok(Composed { scene, warnings, fits: !broken, broken, pictured: false, faults, elements })
    }

    fn sheet(&self, tree: &Tree, fonts: &Fonts) -> Result<Sheet, Vec<Fault>> {
        let tree = pictures::resolve(tree, Theme::of(self.style).manner, self.seed)?;
        let [light, dark] = &self.logos;
        let setting = Setting {
            format: self.format.format(),
            style: self.style,
            palette: self.palette,
            brand: &self.brand,
            logos: [light.as_ref(), dark.as_ref()],
            faces: self.faces,
            language: &self.language,
            fonts,
            slide: self.slide,
            photos: &self.photos,
            seed: self.seed,
            touches: sheet::Touches { groups: &self.groups, ..sheet::Touches::default() },
            dress: elements::dress,
        };
        Ok(sheet::set(&tree, &setting))
    }
}

impl From<&Leaf> for Against {
    fn from(leaf: &Leaf) -> Self {
        // Its author decides whether it has words.
        Self { format: leaf.format, style: leaf.style, type_only: false, notes: true, words: false, sameness: None }
    }
}

/// The fit groups that a page names, of any size. Groups within an element are its own.
fn shared_groups(tree: &Tree) -> Vec<(String, f32)> {
    let names: BTreeSet<&str> = tree.root.walk().filter_map(|node| node.get("fit-group")).collect();
    names.into_iter().map(|name| (name.to_owned(), f32::INFINITY)).collect()
}

/// The photographs that a page shows.
fn named_photos(tree: &Tree, photos: &[(String, Photo)]) -> Vec<(String, Photo)> {
    let names: Vec<&str> = tree.root.walk().filter_map(|n| n.get("src").map(str::trim)).collect();
    photos.iter().filter(|(name, _)| names.contains(&name.as_str())).cloned().collect()
}

/// Everything that a page says, in document order.
pub fn spoken(tree: &Tree) -> String {
    let set = |n: &Node| -> Vec<String> {
        let words = |name: &str| n.element.attribute(name).is_some_and(|a| a.kind == Kind::Words);
        let attributes = n.attributes.iter().filter(|(name, _)| words(name)).map(|(_, v)| v.clone());
        attributes.chain([n.text()]).filter(|t| !t.trim().is_empty()).collect()
    };
    let texts: Vec<String> = tree.root.walk().flat_map(set).collect();
    texts.join("\n")
}

/// A description of a page: the one that its author gave, else what it says.
pub(super) fn alt_text(tree: &Tree) -> String {
    if let Some(alt) = tree.root.get("alt") {
        return alt.to_owned();
    }
    let said = spoken(tree).replace('\n', ". ").replace(".. ", ". ");
    said.chars().take(SLOT_CHARS).collect()
}
