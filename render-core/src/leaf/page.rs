//! [`Leaf`]: a page as a tree, and how its text is parsed and laid out.

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

/// Sizes that differ by this many du at most look the same.
const SAME_SIZE: f32 = 0.5;

/// A page as a tree, with all of its layout inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// The format.
    pub format: FormatId,
    /// The page's position in a carousel; `None` for a visual.
    pub slide: Option<Slide>,
    /// The style.
    pub style: Style,
    /// The resolved colours.
    pub palette: Palette,
    /// The font families.
    pub faces: Faces,
    /// The brand's name; empty without a brand.
    pub brand: String,
    /// The brand's logos for light and for dark backgrounds.
    pub logos: [Option<Logo>; 2],
    /// Photographs, each with the name that `img` elements refer to it by.
    pub photos: Vec<(String, Photo)>,
    /// The language of the page's words.
    pub language: Language,
    /// The seed of every random choice.
    pub seed: u64,
    /// A description for people who can't see the picture.
    pub alt_text: String,
    /// Upper limits, in du, for the sizes of fit groups. Present where another page of the carousel uses a smaller
    /// size.
    pub groups: Vec<(String, f32)>,
    /// The page in the page language.
    pub markup: String,
    /// What the caller should know about this page.
    pub warnings: Vec<Warning>,
}

/// Pages in the page language, with all of their layout inputs.
pub struct Written<'a> {
    /// One or several pages in the page language.
    pub text: &'a str,
    /// The format.
    pub format: &'static Format,
    /// The style.
    pub style: Style,
    /// The brand.
    pub brand: Option<&'a Brand>,
    /// The language; `None` detects it from the words.
    pub language: Option<Language>,
    /// Photographs, each with the name that `img` elements refer to it by.
    pub photos: Vec<(String, Photo)>,
    /// The seed of every random choice.
    pub seed: u64,
    /// The fonts.
    pub fonts: &'a Fonts,
}

/// Parses pages without laying them out.
///
/// # Errors
/// Every fault of their text.
pub fn read(text: &str) -> Result<Vec<Tree>, Vec<Fault>> {
    let trees = markup::parse_all(text, &elements::VOCABULARY)?;
    // The style doesn't decide whether a picture exists and accepts its parameters, so any style serves for the check.
    let several = trees.len() > 1;
    let resolved = trees.iter().enumerate().filter_map(|(index, tree)| {
        let faults = pictures::resolve(tree, Manner::Flat, 0).err()?;
        Some(faults.into_iter().map(move |fault| located(fault, index, several)))
    });
    let faults: Vec<Fault> = resolved.flatten().collect();
    if faults.is_empty() { Ok(trees) } else { Err(faults) }
}

/// Returns the photographs that pages refer to, each once, in document order: the id of the first `img` element that
/// refers to it, and its `src`.
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

/// Prefixes the fault's element with the number of its page if there are several pages.
pub(super) fn located(fault: Fault, index: usize, several: bool) -> Fault {
    if several { Fault::new(format!("page-{}/{}", index + 1, fault.element), fault.message) } else { fault }
}

/// Lays out the pages and returns them as leaves. Several pages are the slides of one carousel if the format is a
/// carousel, and separate pictures otherwise.
///
/// # Errors
/// Every fault of the text, and everything that doesn't fit in the format.
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

/// Lays out pages of a carousel again if their fit groups are larger than the same groups on other pages.
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
        // Smaller type may break lines worse. A page that no longer fits keeps its own sizes.
        if !capped.groups.is_empty() && capped.clone().fit(tree, fonts).is_ok() {
            *leaf = capped;
        }
    }
}

impl Leaf {
    /// Lays out the page, and records its warnings and the sizes of its fit groups.
    ///
    /// # Errors
    /// Everything that doesn't fit.
    fn fit(&mut self, tree: &Tree, fonts: &Fonts) -> Result<(), Vec<Fault>> {
        let sheet = self.sheet(tree, fonts)?;
        let items = sheet.scene.items.len();
        let full = format!("draws {items} shapes; at most {SCENE_ITEMS} are allowed");
        let mut faults = sheet.faults;
        faults.extend((items > SCENE_ITEMS).then(|| Fault::new("page", full)));
        faults.truncate(PAGE_FAULTS);
        (self.warnings, self.groups) = (sheet.warnings, sheet.groups);
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Lays out the page. The scene is in du and serves every resolution of its format.
    ///
    /// # Errors
    /// The faults of its text, which occur if an engine of another version wrote it.
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
            build_box: elements::build_box,
        };
        Ok(sheet::set(&tree, &setting))
    }
}

impl From<&Leaf> for Against {
    fn from(leaf: &Leaf) -> Self {
        // The author decides whether the page has words, so none are required.
        Self { format: leaf.format, style: leaf.style, type_only: false, notes: true, words: false, sameness: None }
    }
}

/// Returns the fit groups that a page names, without a size limit. Groups within an element are private to it.
fn shared_groups(tree: &Tree) -> Vec<(String, f32)> {
    let names: BTreeSet<&str> = tree.root.walk().filter_map(|node| node.get("fit-group")).collect();
    names.into_iter().map(|name| (name.to_owned(), f32::INFINITY)).collect()
}

/// Returns the photographs that a page shows.
fn named_photos(tree: &Tree, photos: &[(String, Photo)]) -> Vec<(String, Photo)> {
    let names: Vec<&str> = tree.root.walk().filter_map(|n| n.get("src").map(str::trim)).collect();
    photos.iter().filter(|(name, _)| names.contains(&name.as_str())).cloned().collect()
}

/// Returns all words of a page, in document order.
pub fn spoken(tree: &Tree) -> String {
    let set = |n: &Node| -> Vec<String> {
        let words = |name: &str| n.element.attribute(name).is_some_and(|a| a.kind == Kind::Words);
        let attributes = n.attributes.iter().filter(|(name, _)| words(name)).map(|(_, v)| v.clone());
        attributes.chain([n.text()]).filter(|t| !t.trim().is_empty()).collect()
    };
    let texts: Vec<String> = tree.root.walk().flat_map(set).collect();
    texts.join("\n")
}

/// Returns a description of a page: the author's, else the page's words.
pub(super) fn alt_text(tree: &Tree) -> String {
    if let Some(alt) = tree.root.get("alt") {
        return alt.to_owned();
    }
    let said = spoken(tree).replace('\n', ". ").replace(".. ", ". ");
    said.chars().take(SLOT_CHARS).collect()
}
