//! The stored form of a [`Page`]: versioned, self-describing (JSON under zstd), and separate from the domain type.
//!
//! The types here are frozen. A change of [`Page`] that they can't represent needs a new version beside the old one,
//! and [`decode`] continues to read both. Version 5 adds the page's tree as text, so that a stored page draws the same
//! picture after its template has changed.

use std::io::Read;

use serde::{Deserialize, Serialize};

use super::stored_adjust::AdjustV4;
pub use super::stored_common::StoredError;
pub(crate) use super::stored_common::family_name;
use super::stored_common::{family_named, unknown};
use super::{
    Adjust, Art, Background, Crop, Faces, FileKey, ItemData, Logo, Page, Palette, Photo, Recipe, Scheme, SizeCaps,
    Slide, Slot, Style, Template, Writing,
};
use crate::content::{Direction, Language, Span};
use crate::format::Format;
use crate::icon::Icon;
use crate::limits;
use crate::outline::Locale;
use crate::scene::{Color, Point};
use crate::warning::{Warning, WarningCode};

/// The newest version.
pub const VERSION: u32 = 5;

#[derive(Deserialize)]
struct Header {
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored<S> {
    version: u32,
    /// Not in version 1.
    #[serde(default, skip_serializing_if = "WritingV2::is_horizontal")]
    writing: WritingV2,
    format: String,
    slide: Option<(u32, u32)>,
    archetype: String,
    style: String,
    field: String,
    palette: PaletteV1,
    art: Option<ArtV1>,
    /// Not in versions before 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
    /// The name of the icon of its set's subject. An icon that this version doesn't support is dropped. Not in versions
    /// before 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    motif: Option<String>,
    /// Not in versions 1 and 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    photo: Option<PhotoV3>,
    /// Not in versions 1 and 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    logo: Option<LogoV3>,
    faces: FacesV1,
    slots: Vec<S>,
    /// Not in versions 1 and 2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    items: Vec<ItemV3>,
    /// Not in versions before 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sameness: Option<f32>,
    sizes: SizesV1,
    /// Not in versions 1 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    adjust: Option<AdjustV4>,
    /// The colours that its author chose. Not in versions before 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scheme: Option<[Color; 5]>,
    /// The page that its author composed. Not in versions before 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    authored: Option<String>,
    /// Whether `authored` is the whole page, head and foot included. Not in versions before 5.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    whole: bool,
    /// The page in the page language. Not in versions 1 to 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tree: Option<String>,
    language: Language,
    direction: Direction,
    alt_text: String,
    seed: u64,
    /// Optional in versions 3 and 4: added when pages got warnings of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningV3>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct WarningV3 {
    /// The name of its code. A warning with a code that this version doesn't support is dropped.
    code: String,
    message: String,
}

impl WarningV3 {
    pub(crate) fn of(warning: &Warning) -> Self {
        Self { code: warning.code.name(), message: warning.message.clone() }
    }

    pub(crate) fn read(self) -> Option<Warning> {
        Some(Warning::new(WarningCode::by_name(&self.code)?, self.message))
    }
}

#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum WritingV2 {
    #[default]
    Horizontal,
    Vertical,
}

impl WritingV2 {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_horizontal(&self) -> bool {
        *self == Self::Horizontal
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaletteV1 {
    bg: Color,
    surface: Color,
    ink: Color,
    ink2: Color,
    line: Color,
    accent: Color,
    accent_text: Color,
    accent2: Color,
    tint: Color,
    on_accent: Color,
    /// The following fields are not in versions 1 and 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    field: Option<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_field: Option<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    art: Option<[Color; 5]>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ItemV3 {
    #[serde(default)]
    group: u8,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<f64>,
    #[serde(default)]
    done: bool,
    /// The name of the icon. An icon that this version doesn't support is dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    icon: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct ArtV1 {
    recipe: String,
    seed: u64,
    value: Option<f32>,
}

/// A logo, by the key of its file; its pixels are not part of the stored form.
#[derive(Serialize, Deserialize)]
pub(crate) struct LogoV3 {
    key: String,
    width: u32,
    height: u32,
}

/// A photograph, by the key of its file; its pixels are not part of the stored form.
#[derive(Serialize, Deserialize)]
pub(crate) struct PhotoV3 {
    key: String,
    width: u32,
    height: u32,
    focus: (f32, f32),
    crop: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct FacesV1 {
    display: String,
    body: String,
    data: String,
}

/// A slot of version 1: without emphasis.
#[derive(Deserialize)]
struct SlotV1 {
    id: String,
    text: String,
    span: Option<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
struct SlotV2 {
    id: String,
    text: String,
    span: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    emphasis: Vec<(u32, u32)>,
}

impl From<SlotV1> for SlotV2 {
    fn from(SlotV1 { id, text, span }: SlotV1) -> Self {
        Self { id, text, span, emphasis: Vec::new() }
    }
}

#[derive(Serialize, Deserialize)]
struct SizesV1 {
    title: Option<f32>,
    body: Option<f32>,
    item: Option<f32>,
}

impl PaletteV1 {
    pub(crate) fn of(c: &Palette) -> Self {
        Self {
            bg: c.bg,
            surface: c.surface,
            ink: c.ink,
            ink2: c.ink2,
            line: c.line,
            accent: c.accent,
            accent_text: c.accent_text,
            accent2: c.accent2,
            tint: c.tint,
            on_accent: c.on_accent,
            field: Some(c.field),
            on_field: Some(c.on_field),
            art: Some(c.art),
        }
    }

    pub(crate) fn read(self) -> Palette {
        Palette {
            bg: self.bg,
            surface: self.surface,
            ink: self.ink,
            ink2: self.ink2,
            line: self.line,
            accent: self.accent,
            accent_text: self.accent_text,
            accent2: self.accent2,
            tint: self.tint,
            on_accent: self.on_accent,
            field: self.field.unwrap_or(self.accent),
            on_field: self.on_field.unwrap_or(self.on_accent),
            art: self.art.unwrap_or([self.ink, self.accent, self.accent2, self.tint, self.surface]),
        }
    }
}

impl LogoV3 {
    pub(crate) fn of(logo: &Logo) -> Self {
        Self { key: logo.key.to_hex(), width: logo.width, height: logo.height }
    }

    pub(crate) fn read(self) -> Result<Logo, StoredError> {
        let key = FileKey::from_hex(&self.key).ok_or_else(|| unknown("logo", &self.key))?;
        Ok(Logo { key, width: self.width, height: self.height, pixels: None })
    }
}

impl PhotoV3 {
    pub(crate) fn of(photo: &Photo) -> Self {
        Self {
            key: photo.key.clone(),
            width: photo.width,
            height: photo.height,
            focus: (photo.focus.x, photo.focus.y),
            crop: photo.crop.name().into(),
        }
    }

    pub(crate) fn read(self) -> Result<Photo, StoredError> {
        let crop = by_name(&Crop::ALL, Crop::name, &self.crop).ok_or_else(|| unknown("crop", &self.crop))?;
        let focus = Point::new(self.focus.0, self.focus.1);
        Ok(Photo { key: self.key, width: self.width, height: self.height, focus, crop, pixels: None })
    }
}

impl FacesV1 {
    pub(crate) fn of(faces: &Faces) -> Self {
        Self { display: family_name(faces.display), body: family_name(faces.body), data: family_name(faces.data) }
    }

    pub(crate) fn read(&self) -> Result<Faces, StoredError> {
        let family = |name: &str| family_named(name).ok_or_else(|| unknown("family", name));
        Ok(Faces { display: family(&self.display)?, body: family(&self.body)?, data: family(&self.data)? })
    }
}

/// Returns the bytes of a page and, if its template can be composed, of its text in the page language.
pub(crate) fn encode(page: &Page, tree: Option<String>) -> Vec<u8> {
    let stored = Stored { tree, ..Stored::from(page) };
    let json = serde_json::to_vec(&stored).expect("a page holds strings, numbers and colours only");
    zstd::encode_all(json.as_slice(), 3).expect("compressing memory to memory meets no I/O error")
}

/// Reads a page from `bytes`, of any version up to [`VERSION`], without its tree: after a change to a page, its
/// template composes it again.
///
/// # Errors
/// [`StoredError`].
pub fn decode(bytes: &[u8]) -> Result<Page, StoredError> {
    let (version, json) = unpack(bytes)?;
    Ok(read(version, &json)?.0)
}

/// Reads a page and its text in the page language from the unpacked JSON of a version.
///
/// # Errors
/// [`StoredError`].
pub(crate) fn read(version: u32, json: &[u8]) -> Result<(Page, Option<String>), StoredError> {
    match version {
        1 => whole(serde_json::from_slice::<Stored<SlotV1>>(json).map_err(|e| malformed(&e))?),
        2..=VERSION => whole(serde_json::from_slice::<Stored<SlotV2>>(json).map_err(|e| malformed(&e))?),
        newer => Err(StoredError::Newer(newer)),
    }
}

fn whole<S: Into<SlotV2>>(mut stored: Stored<S>) -> Result<(Page, Option<String>), StoredError> {
    let tree = stored.tree.take();
    Ok((stored.try_into()?, tree))
}

/// Returns the version of a stored page of any form, and its JSON.
///
/// # Errors
/// [`StoredError::Malformed`].
pub(crate) fn unpack(bytes: &[u8]) -> Result<(u32, Vec<u8>), StoredError> {
    let mut json = Vec::new();
    zstd::Decoder::new(bytes)
        .and_then(|d| d.take(limits::PAGE_BYTES as u64 + 1).read_to_end(&mut json))
        .map_err(|e| malformed(&e))?;
    if json.len() > limits::PAGE_BYTES {
        return Err(StoredError::Malformed(format!("over {} bytes", limits::PAGE_BYTES)));
    }
    let header: Header = serde_json::from_slice(&json).map_err(|e| malformed(&e))?;
    Ok((header.version, json))
}

fn malformed(error: &dyn std::fmt::Display) -> StoredError {
    StoredError::Malformed(error.to_string())
}

impl From<&Page> for Stored<SlotV2> {
    fn from(p: &Page) -> Self {
        Self {
            version: VERSION,
            writing: match p.writing {
                Writing::Horizontal => WritingV2::Horizontal,
                Writing::Vertical => WritingV2::Vertical,
            },
            format: p.format.to_string(),
            slide: p.slide.map(|s| (s.index, s.count)),
            archetype: p.template.name().into(),
            style: p.style.name().into(),
            field: p.background.name().into(),
            palette: PaletteV1::of(&p.palette),
            picture: p.picture.clone(),
            motif: p.motif.map(|icon| icon.name().to_owned()),
            sameness: p.sameness,
            authored: p.authored.clone(),
            whole: p.whole,
            scheme: p.scheme.map(|scheme| scheme.0),
            art: p.art.map(|a| ArtV1 { recipe: a.recipe.name().into(), seed: a.seed, value: a.value }),
            logo: p.logo.as_ref().map(LogoV3::of),
            photo: p.photo.as_ref().map(PhotoV3::of),
            faces: FacesV1::of(&p.faces),
            slots: p
                .slots
                .iter()
                .map(|s| SlotV2 {
                    id: s.id.to_string(),
                    text: s.text.clone(),
                    span: s.span.map(|s| (s.start, s.end)),
                    emphasis: s.emphasis.iter().map(|r| (r.start, r.end)).collect(),
                })
                .collect(),
            items: p
                .items
                .iter()
                .map(|i| ItemV3 {
                    group: i.group,
                    numbers: i.numbers.clone(),
                    done: i.done,
                    icon: i.icon.map(|icon| icon.name().to_owned()),
                })
                .collect(),
            sizes: SizesV1 { title: p.sizes.title, body: p.sizes.body, item: p.sizes.item },
            adjust: AdjustV4::of(&p.adjust),
            tree: None,
            language: p.locale.language.clone(),
            direction: p.locale.direction,
            alt_text: p.alt_text.clone(),
            seed: p.seed,
            warnings: p.warnings.iter().map(WarningV3::of).collect(),
        }
    }
}

impl<S: Into<SlotV2>> TryFrom<Stored<S>> for Page {
    type Error = StoredError;

    fn try_from(v: Stored<S>) -> Result<Self, StoredError> {
        Ok(Self {
            writing: match v.writing {
                WritingV2::Horizontal => Writing::Horizontal,
                WritingV2::Vertical => Writing::Vertical,
            },
            format: Format::by_id(&v.format).ok_or_else(|| unknown("format", &v.format))?.id,
            slide: v.slide.map(|(index, count)| Slide { index, count }),
            template: Template::by_name(&v.archetype).ok_or_else(|| unknown("archetype", &v.archetype))?,
            style: Style::by_name(&v.style).ok_or_else(|| unknown("style", &v.style))?,
            background: by_name(&Background::ALL, Background::name, &v.field)
                .ok_or_else(|| unknown("field", &v.field))?,
            palette: v.palette.read(),
            picture: v.picture,
            motif: v.motif.and_then(|name| Icon::by_name(&name)),
            sameness: v.sameness,
            authored: v.authored,
            whole: v.whole,
            scheme: v.scheme.map(Scheme),
            art: v
                .art
                .map(|a| {
                    by_name(&Recipe::ALL, Recipe::name, &a.recipe)
                        .map(|recipe| Art { recipe, seed: a.seed, value: a.value })
                        .ok_or_else(|| unknown("art", &a.recipe))
                })
                .transpose()?,
            logo: v.logo.map(LogoV3::read).transpose()?,
            photo: v.photo.map(PhotoV3::read).transpose()?,
            faces: v.faces.read()?,
            slots: v
                .slots
                .into_iter()
                .map(|s| {
                    let SlotV2 { id, text, span, emphasis } = s.into();
                    Ok(Slot {
                        id: id.parse().map_err(|_| unknown("slot", &id))?,
                        text,
                        span: span.map(|(start, end)| Span { start, end }),
                        emphasis: emphasis.into_iter().map(|(start, end)| start..end).collect(),
                    })
                })
                .collect::<Result<_, StoredError>>()?,
            items: v
                .items
                .into_iter()
                .map(|i| ItemData {
                    group: i.group,
                    numbers: i.numbers,
                    done: i.done,
                    icon: i.icon.and_then(|name| Icon::by_name(&name)),
                })
                .collect(),
            sizes: SizeCaps { title: v.sizes.title, body: v.sizes.body, item: v.sizes.item },
            adjust: v.adjust.map(Adjust::try_from).transpose()?.unwrap_or_default(),
            locale: Locale { language: v.language, direction: v.direction },
            alt_text: v.alt_text,
            seed: v.seed,
            warnings: v.warnings.into_iter().filter_map(WarningV3::read).collect(),
        })
    }
}

fn by_name<T: Copy>(all: &[T], name_of: fn(T) -> &'static str, name: &str) -> Option<T> {
    all.iter().copied().find(|t| name_of(*t) == name)
}

#[cfg(test)]
#[path = "stored_tests.rs"]
mod tests;
