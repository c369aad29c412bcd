//! The stored form of pages as trees: version 5, JSON compressed with zstd. A [`Leaf`] is stored as its tree. A planned
//! page is stored as its tree and its content: the tree is drawn, and edits change the content. Versions 1 to 4 hold
//! only the content; the template makes their tree.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::page::Leaf;
use crate::compose::{self, Composed};
use crate::content::Language;
use crate::design::stored::{self, FacesV1, LogoV3, PaletteV1, PhotoV3, StoredError, WarningV3};
use crate::design::{Logo, Page, Photo, Slide, Style};
use crate::format::Format;
use crate::inspect::Against;
use crate::text::Fonts;
use crate::warning::Warning;

/// A stored page of any version.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyPage {
    /// A planned page and, from version 5 on, its tree as text.
    Planned(Box<Page>, Option<String>),
    /// A page that was written in the page language.
    Leaf(Box<Leaf>),
}

/// Distinguishes the two forms of version 5.
#[derive(Deserialize)]
struct Form {
    markup: Option<IgnoredAny>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LeafV5 {
    version: u32,
    format: String,
    slide: Option<(u32, u32)>,
    style: String,
    palette: PaletteV1,
    faces: FacesV1,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    brand: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    logo: Option<LogoV3>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    logo_dark: Option<LogoV3>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    photos: Vec<(String, PhotoV3)>,
    language: Language,
    seed: u64,
    alt_text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<(String, f32)>,
    markup: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningV3>,
}

/// Returns the stored bytes of a page.
pub fn encode(leaf: &Leaf) -> Vec<u8> {
    let [logo, logo_dark] = &leaf.logos;
    let stored = LeafV5 {
        version: stored::VERSION,
        format: leaf.format.to_string(),
        slide: leaf.slide.map(|s| (s.index, s.count)),
        style: leaf.style.name().to_owned(),
        palette: PaletteV1::of(&leaf.palette),
        faces: FacesV1::of(&leaf.faces),
        brand: leaf.brand.clone(),
        logo: logo.as_ref().map(LogoV3::of),
        logo_dark: logo_dark.as_ref().map(LogoV3::of),
        photos: leaf.photos.iter().map(|(name, photo)| (name.clone(), PhotoV3::of(photo))).collect(),
        language: leaf.language.clone(),
        seed: leaf.seed,
        alt_text: leaf.alt_text.clone(),
        groups: leaf.groups.clone(),
        markup: leaf.markup.clone(),
        warnings: leaf.warnings.iter().map(WarningV3::of).collect(),
    };
    let json = serde_json::to_vec(&stored).expect("a page holds strings, numbers and colours only");
    zstd::encode_all(json.as_slice(), 3).expect("compressing memory to memory meets no I/O error")
}

/// Returns the stored bytes of a planned page. Its logo and photograph must be loaded.
pub fn encode_planned(page: &Page) -> Vec<u8> {
    stored::encode(page, compose::written(page).ok())
}

/// Decodes a page of any version.
///
/// # Errors
/// [`StoredError`].
pub fn decode(bytes: &[u8]) -> Result<AnyPage, StoredError> {
    let malformed = |e: serde_json::Error| StoredError::Malformed(e.to_string());
    let (version, json) = stored::unpack(bytes)?;
    if version == stored::VERSION && serde_json::from_slice::<Form>(&json).map_err(malformed)?.markup.is_some() {
        let stored: LeafV5 = serde_json::from_slice(&json).map_err(malformed)?;
        return Ok(AnyPage::Leaf(Box::new(stored.try_into()?)));
    }
    let (page, tree) = stored::read(version, &json)?;
    Ok(AnyPage::Planned(Box::new(page), tree))
}

impl TryFrom<LeafV5> for Leaf {
    type Error = StoredError;

    fn try_from(v: LeafV5) -> Result<Self, StoredError> {
        let unknown = |what: &str, name: &str| StoredError::Malformed(format!("unknown {what} {name:?}"));
        let photo = |(name, photo): (String, PhotoV3)| Ok::<_, StoredError>((name, photo.read()?));
        Ok(Self {
            format: Format::by_id(&v.format).ok_or_else(|| unknown("format", &v.format))?.id,
            slide: v.slide.map(|(index, count)| Slide { index, count }),
            style: Style::by_name(&v.style).ok_or_else(|| unknown("style", &v.style))?,
            palette: v.palette.read(),
            faces: v.faces.read()?,
            brand: v.brand,
            logos: [v.logo.map(LogoV3::read).transpose()?, v.logo_dark.map(LogoV3::read).transpose()?],
            photos: v.photos.into_iter().map(photo).collect::<Result<_, _>>()?,
            language: v.language,
            seed: v.seed,
            alt_text: v.alt_text,
            groups: v.groups,
            markup: v.markup,
            warnings: v.warnings.into_iter().filter_map(WarningV3::read).collect(),
        })
    }
}

impl AnyPage {
    /// Returns the page's logos. The caller sets their pixels before it draws the page.
    pub fn logos_mut(&mut self) -> impl Iterator<Item = &mut Logo> {
        let (slots, leaf) = match self {
            Self::Planned(page, _) => (page.logo.as_mut(), [None, None]),
            Self::Leaf(leaf) => (None, leaf.logos.each_mut().map(Option::as_mut)),
        };
        slots.into_iter().chain(leaf.into_iter().flatten())
    }

    /// Returns the page's photographs. The caller sets their pixels before it draws the page.
    pub fn photos_mut(&mut self) -> impl Iterator<Item = &mut Photo> {
        let (slots, leaf) = match self {
            Self::Planned(page, _) => (page.photo.as_mut(), None),
            Self::Leaf(leaf) => (None, Some(&mut leaf.photos)),
        };
        slots.into_iter().chain(leaf.into_iter().flatten().map(|(_, photo)| photo))
    }

    /// Lays out the page.
    ///
    /// # Errors
    /// The first fault of its text, which occurs if an engine of another version wrote it.
    pub fn compose(&self, fonts: &Fonts) -> Result<Composed, StoredError> {
        match self {
            Self::Planned(page, tree) => Ok(compose::restored(page, tree.as_deref(), fonts)),
            Self::Leaf(leaf) => leaf.compose(fonts).map_err(|faults| {
                let first = faults.first().map(ToString::to_string).unwrap_or_default();
                StoredError::Malformed(first)
            }),
        }
    }

    /// Returns what the inspection measures the page's scene against.
    pub fn against(&self) -> Against {
        match self {
            Self::Planned(page, _) => Against::from(&**page),
            Self::Leaf(leaf) => Against::from(&**leaf),
        }
    }

    /// Returns what the caller should know about the page.
    pub fn into_warnings(self) -> Vec<Warning> {
        match self {
            Self::Planned(page, _) => page.warnings,
            Self::Leaf(leaf) => leaf.warnings,
        }
    }

    /// Returns the planned page; `None` for a page written in the page language.
    pub fn planned(self) -> Option<Page> {
        match self {
            Self::Planned(page, _) => Some(*page),
            Self::Leaf(_) => None,
        }
    }
}
