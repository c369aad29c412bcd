//! [`Brand`]: the parts of a brand kit that pages use, as the kit stood when the generation was accepted.

use serde::{Deserialize, Serialize};

use super::stored_common::{StoredError, family_name, family_named, unknown};
use super::{FileKey, Logo, Style};
use crate::limits::BRAND_BYTES;
use crate::scene::Color;
use crate::text::Family;

/// The version that [`Brand::encode`] writes.
const VERSION: u32 = 1;

/// A brand kit's part in the design of a page. The style decides whatever the kit leaves open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Brand {
    /// The name of the brand.
    pub name: String,
    /// The brand's main colour: the seed of the palette, and exact in logo and art.
    pub primary: Option<Color>,
    /// A second colour.
    pub secondary: Option<Color>,
    /// The colour of marks and buttons.
    pub accent: Option<Color>,
    /// The background of pages.
    pub background: Option<Color>,
    /// The colour of text.
    pub text: Option<Color>,
    /// The logo for light backgrounds.
    pub logo: Option<Logo>,
    /// The logo for dark backgrounds.
    pub logo_dark: Option<Logo>,
    /// Font family of headlines and figures. A family of the brand's own is [`Family::OwnHeading`].
    pub heading: Option<Family>,
    /// Font family of running text. A family of the brand's own is [`Family::OwnBody`], or [`Family::OwnHeading`] if
    /// headlines use the same.
    pub body: Option<Family>,
    /// The font files of the brand's own families.
    pub faces: Vec<FaceFile>,
    /// The brand's tone of voice in its owner's words, for copywriters.
    pub tone: Option<String>,
    /// Its name on social media, as displayed: `@acme`.
    pub handle: Option<String>,
    /// Its address as displayed: without a scheme and without a trailing slash.
    pub url: Option<String>,
    /// The style of its pages, if a request names none.
    pub style: Option<Style>,
    /// Whether pages have a footer with the available parts of logo, name, handle and address.
    pub footer: bool,
}

/// A font file of a brand's own family that passed [`crate::text::check_font`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaceFile {
    /// [`Family::OwnHeading`] or [`Family::OwnBody`].
    pub family: Family,
    /// The file.
    pub key: FileKey,
}

impl Brand {
    /// Returns whether the brand sets any colour of its pages.
    pub fn has_colours(&self) -> bool {
        [self.primary, self.secondary, self.accent, self.background, self.text].iter().any(Option::is_some)
    }

    /// Returns its logo for a page with the background `ground`: the variant made for such a background, if there is
    /// one.
    pub fn logo_on(&self, ground: Color) -> Option<&Logo> {
        let (fits, other) =
            if ground.to_oklch().l < 0.6 { (&self.logo_dark, &self.logo) } else { (&self.logo, &self.logo_dark) };
        fits.as_ref().or(other.as_ref())
    }

    /// Returns its logos.
    pub fn logos_mut(&mut self) -> impl Iterator<Item = &mut Logo> {
        self.logo.iter_mut().chain(&mut self.logo_dark)
    }

    /// Serialises a brand as versioned JSON. Equal brands give equal bytes.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(&Stored::from(self)).expect("a brand holds strings, numbers and colours only")
    }

    /// Deserialises a brand. Its logos have no pixels.
    ///
    /// # Errors
    /// [`StoredError`].
    pub fn decode(bytes: &[u8]) -> Result<Self, StoredError> {
        let malformed = |e: serde_json::Error| StoredError::Malformed(e.to_string());
        if bytes.len() > BRAND_BYTES {
            return Err(StoredError::Malformed(format!("over {BRAND_BYTES} bytes")));
        }
        let header: Header = serde_json::from_slice(bytes).map_err(malformed)?;
        if header.version > VERSION {
            return Err(StoredError::Newer(header.version));
        }
        serde_json::from_slice::<Stored>(bytes).map_err(malformed)?.try_into()
    }
}

#[derive(Deserialize)]
struct Header {
    version: u32,
}

/// The stored form. New fields are optional, so that older bytes stay readable.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    version: u32,
    name: String,
    primary: Option<Color>,
    secondary: Option<Color>,
    accent: Option<Color>,
    background: Option<Color>,
    text: Option<Color>,
    logo: Option<StoredLogo>,
    logo_dark: Option<StoredLogo>,
    heading: Option<String>,
    body: Option<String>,
    faces: Vec<(String, String)>,
    tone: Option<String>,
    handle: Option<String>,
    url: Option<String>,
    style: Option<String>,
    footer: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredLogo {
    key: String,
    width: u32,
    height: u32,
}

impl From<&Brand> for Stored {
    fn from(b: &Brand) -> Self {
        let logo = |logo: &Logo| StoredLogo { key: logo.key.to_hex(), width: logo.width, height: logo.height };
        Self {
            version: VERSION,
            name: b.name.clone(),
            primary: b.primary,
            secondary: b.secondary,
            accent: b.accent,
            background: b.background,
            text: b.text,
            logo: b.logo.as_ref().map(logo),
            logo_dark: b.logo_dark.as_ref().map(logo),
            heading: b.heading.map(family_name),
            body: b.body.map(family_name),
            faces: b.faces.iter().map(|f| (family_name(f.family), f.key.to_hex())).collect(),
            tone: b.tone.clone(),
            handle: b.handle.clone(),
            url: b.url.clone(),
            style: b.style.map(|s| s.name().to_owned()),
            footer: b.footer,
        }
    }
}

impl TryFrom<Stored> for Brand {
    type Error = StoredError;

    fn try_from(v: Stored) -> Result<Self, StoredError> {
        let key = |hex: &str| FileKey::from_hex(hex).ok_or_else(|| unknown("file", hex));
        let family = |name: &str| family_named(name).ok_or_else(|| unknown("family", name));
        let logo =
            |logo: StoredLogo| Ok(Logo { key: key(&logo.key)?, width: logo.width, height: logo.height, pixels: None });
        let style = |name: &str| Style::by_name(name).ok_or_else(|| unknown("style", name));
        let face = |(name, hex): (String, String)| Ok(FaceFile { family: family(&name)?, key: key(&hex)? });
        Ok(Self {
            name: v.name,
            primary: v.primary,
            secondary: v.secondary,
            accent: v.accent,
            background: v.background,
            text: v.text,
            logo: v.logo.map(logo).transpose()?,
            logo_dark: v.logo_dark.map(logo).transpose()?,
            heading: v.heading.as_deref().map(family).transpose()?,
            body: v.body.as_deref().map(family).transpose()?,
            faces: v.faces.into_iter().map(face).collect::<Result<_, StoredError>>()?,
            tone: v.tone,
            handle: v.handle,
            url: v.url,
            style: v.style.as_deref().map(style).transpose()?,
            footer: v.footer,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Image;

    fn brand() -> Brand {
        let logo = |n| Logo { key: FileKey([n; 32]), width: 400, height: 90, pixels: None };
        Brand {
            name: "Acme & Söhne".into(),
            primary: Some(Color::hex(0x0a5f38)),
            accent: Some(Color::hex(0xff7a00)),
            logo: Some(logo(0xab)),
            logo_dark: Some(logo(7)),
            heading: Some(Family::OwnHeading),
            body: Some(Family::Manrope),
            faces: vec![FaceFile { family: Family::OwnHeading, key: FileKey([1; 32]) }],
            tone: Some("warm, plain".into()),
            handle: Some("@acme".into()),
            url: Some("acme.example".into()),
            style: Some(Style::MINIMAL),
            footer: true,
            ..Brand::default()
        }
    }

    #[test]
    fn a_brand_comes_back_as_it_was() {
        for brand in [brand(), Brand { name: "A".into(), ..Brand::default() }] {
            assert_eq!(Brand::decode(&brand.encode()).expect("own bytes"), brand);
        }
        let mut seen = brand();
        for logo in seen.logos_mut() {
            logo.pixels = Some(Image::new(1, 1, vec![0; 4]).expect("a picture"));
        }
        assert_eq!(seen.encode(), brand().encode(), "pixels are no part of it");
    }

    #[test]
    fn version_1_is_still_read() {
        let ab = "ab".repeat(32);
        let golden = format!(
            "{{\"version\":1,\"name\":\"Acme & Söhne\",\"primary\":\"#0a5f38\",\"secondary\":null,\"accent\":\"#ff7a00\",\
             \"background\":null,\"text\":null,\"logo\":{{\"key\":\"{ab}\",\"width\":400,\"height\":90}},\
             \"logoDark\":{{\"key\":\"{}\",\"width\":400,\"height\":90}},\"heading\":\"own:heading\",\"body\":\"Manrope\",\
             \"faces\":[[\"own:heading\",\"{}\"]],\"tone\":\"warm, plain\",\"handle\":\"@acme\",\"url\":\"acme.example\",\
             \"style\":\"minimal\",\"footer\":true}}",
            "07".repeat(32),
            "01".repeat(32),
        );
        assert_eq!(String::from_utf8(brand().encode()).expect("JSON"), golden);
        assert_eq!(Brand::decode(golden.as_bytes()).expect("version 1"), brand());
    }

    #[test]
    fn what_is_no_brand_is_refused() {
        let text = String::from_utf8(brand().encode()).expect("JSON");
        for (from, to) in [("Manrope", "Nobody"), ("\"minimal\"", "\"loud\""), ("#0a5f38", "green"), ("0707", "07x7")] {
            let wrong = text.replacen(from, to, 1);
            assert!(matches!(Brand::decode(wrong.as_bytes()), Err(StoredError::Malformed(_))), "{wrong}");
        }
        assert!(matches!(Brand::decode(b"{\"version\":2}"), Err(StoredError::Newer(2))));
        assert!(Brand::decode(b"").is_err() && Brand::decode(&vec![b' '; BRAND_BYTES + 1]).is_err());
    }
}
