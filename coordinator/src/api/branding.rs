//! Takes a snapshot of a brand kit when a generation is accepted. The brand is stored once, so later changes to the kit
//! don't affect the generation.

use bytes::Bytes;
use fleet::protocol::BlobId;
use render_core::design::{Brand, FaceFile, FileKey, Logo, Style};
use render_core::scene::Color;
use render_core::text::Family;
use render_core::warning::{Warning, WarningCode};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::fonts::{self, Offered, Source};
use super::kit::{self, without_scheme};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::ApiError;
use crate::state::{AccountFace, Kit, KitLogo, LogoVariant};

/// A snapshot of a brand kit for one generation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Worn {
    /// The stored brand.
    pub brand: BlobId,
    /// Size of the stored brand in bytes.
    pub bytes: u64,
    /// The logos and faces that it refers to.
    pub parts: Vec<BlobId>,
    /// The style to use if the request names none.
    pub style: Option<String>,
    /// Warnings for the client.
    pub warnings: Vec<Warning>,
}

/// Stores a snapshot of the account's brand kit with this id. Returns `None` if there is no such kit.
pub(super) async fn worn(app: &App, account: Uuid, id: Uuid) -> Result<Option<Worn>, ApiError> {
    let Some((kit, _)) = app.store.run(move |store| store.kit(account, id)).await? else { return Ok(None) };
    let names_fonts = kit.content.heading.is_some() || kit.content.body.is_some();
    let (offered, faces) = if names_fonts {
        let faces = app.store.run(move |store| store.faces(account, Millis::now())).await?;
        (fonts::offered(app, account).await?, faces)
    } else {
        Default::default()
    };
    let (brand, warnings) = brand(&kit, &offered, &faces);
    let logos = brand.logo.iter().chain(&brand.logo_dark).map(|logo| logo.key);
    let parts = logos.chain(brand.faces.iter().map(|face| face.key)).map(|key| BlobId(key.0)).collect();
    let encoded = Bytes::from(brand.encode());
    let bytes = encoded.len() as u64;
    let stored = app.blobs.put_blob(encoded).await.map_err(|e| {
        tracing::error!(error = %e, "storing a brand failed");
        ApiError::StorageUnavailable
    })?;
    Ok(Some(Worn { brand: stored, bytes, parts, style: kit.content.style, warnings }))
}

/// Encodes a kit in the format in which brands are stored, without storing it. Also returns warnings for the client.
pub(crate) async fn fresh(app: &App, account: Uuid, kit: &Kit) -> Result<(Bytes, Vec<Warning>), ApiError> {
    let faces = app.store.run(move |store| store.faces(account, Millis::now())).await?;
    let (brand, warnings) = brand(kit, &fonts::offered(app, account).await?, &faces);
    Ok((brand.encode().into(), warnings))
}

/// Builds a kit from a request body without saving it. `kept` is the saved kit that the body changes; its logos are
/// kept.
pub(crate) async fn unsaved(
    app: &App,
    account: Uuid,
    body: &Map<String, Value>,
    kept: Option<Kit>,
) -> Result<(Kit, Vec<Warning>), ApiError> {
    let written = kit::read(body, Some(&fonts::offered(app, account).await?))?;
    let (now, content) = (Millis::now(), written.content.clone());
    let logo = |variant: LogoVariant| {
        let kept = kept.as_ref().filter(|_| !written.without.contains(&variant))?;
        match variant {
            LogoVariant::Light => kept.logo,
            LogoVariant::Dark => kept.logo_dark,
        }
    };
    let (logo, logo_dark) = (logo(LogoVariant::Light), logo(LogoVariant::Dark));
    let kit = Kit { id: Uuid::now_v7(), content, logo, logo_dark, created: now, updated: now };
    Ok((kit, written.warnings(|_| true)))
}

/// Builds a brand from the body of a brand kit, for pages that are rendered without a service. The brand has the kit's
/// colours, names and bundled font families.
///
/// # Errors
/// [`ApiError::Invalid`] lists every fault.
pub(crate) fn described(body: &Map<String, Value>) -> Result<Brand, ApiError> {
    let content = kit::read(body, None)?.content;
    let family = |name: &Option<String>| name.as_deref().and_then(Family::from_name);
    let (heading, body) = (family(&content.heading), family(&content.body));
    let now = Millis::now();
    let kit = Kit { id: Uuid::nil(), content, logo: None, logo_dark: None, created: now, updated: now };
    Ok(Brand { heading, body, ..brand(&kit, &[], &[]).0 })
}

/// Converts a kit to a brand. `offered` lists the families that the account can use; `faces` lists the account's own
/// font files.
fn brand(kit: &Kit, offered: &[Offered], faces: &[AccountFace]) -> (Brand, Vec<Warning>) {
    let content = &kit.content;
    let color = |c: Option<[u8; 3]>| c.map(|[r, g, b]| Color::rgb8(r, g, b));
    let logo = |logo: KitLogo| Logo { key: FileKey(logo.blob.0), width: logo.width, height: logo.height, pixels: None };
    let mut brand = Brand {
        name: content.name.clone(),
        primary: color(content.colors.primary),
        secondary: color(content.colors.secondary),
        accent: color(content.colors.accent),
        background: color(content.colors.background),
        text: color(content.colors.text),
        logo: kit.logo.map(logo),
        logo_dark: kit.logo_dark.map(logo),
        tone: content.tone.clone(),
        handle: content.handle.clone(),
        url: content.url.as_deref().map(|url| without_scheme(url).trim_end_matches('/').to_owned()),
        style: content.style.as_deref().and_then(Style::by_name),
        footer: content.footer.unwrap_or(true),
        ..Brand::default()
    };
    let mut warnings = Vec::new();
    let named = [(&content.heading, Family::OwnHeading), (&content.body, Family::OwnBody)];
    let mut own: Vec<(&str, Family)> = Vec::new();
    for (name, part) in named {
        let Some(name) = name else { continue };
        let family = match fonts::found(offered, name) {
            Some(Offered { source: Source::BuiltIn, family, .. }) => Family::from_name(family),
            Some(Offered { source: Source::Service, family, .. }) => Some(Family::added(family)),
            Some(Offered { source: Source::Account, family, .. }) => {
                // If heading and body use the same family, its files are included once.
                let known = own.iter().find(|(known, _)| known == family).map(|(_, part)| *part);
                if known.is_none() {
                    own.push((family, part));
                    let files = faces.iter().filter(|face| &face.family == family);
                    brand.faces.extend(files.map(|face| FaceFile { family: part, key: FileKey(face.blob.0) }));
                }
                Some(known.unwrap_or(part))
            }
            None => None,
        };
        if family.is_none() {
            let message = format!("The brand kit's font {name:?} no longer exists, so the style's own font is used.");
            warnings.push(Warning::new(WarningCode::FontUnavailable, message));
        }
        match part {
            Family::OwnHeading => brand.heading = family,
            _ => brand.body = family,
        }
    }
    (brand, warnings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{KitColors, KitContent};

    fn kit(heading: Option<&str>, body: Option<&str>) -> Kit {
        let content = KitContent {
            name: "Acme".into(),
            colors: KitColors { primary: Some([1, 2, 3]), ..KitColors::default() },
            heading: heading.map(str::to_owned),
            body: body.map(str::to_owned),
            url: Some("https://acme.example/".into()),
            style: Some("corporate".into()),
            ..KitContent::default()
        };
        let logo = KitLogo { blob: BlobId([5; 32]), width: 7, height: 8 };
        let at = Millis(1);
        Kit { id: Uuid::nil(), content, logo: None, logo_dark: Some(logo), created: at, updated: at }
    }

    fn offered() -> Vec<Offered> {
        let offer = |family: &str, source| Offered { family: family.into(), weights: vec![400], source, expires: None };
        vec![
            offer("Manrope", Source::BuiltIn),
            offer("House Sans", Source::Service),
            offer("House Sans", Source::Account),
            offer("House Serif", Source::Service),
        ]
    }

    fn face(family: &str, n: u8) -> AccountFace {
        let upload = Uuid::nil();
        AccountFace { upload, family: family.into(), weight: 400, blob: BlobId([n; 32]), bytes: 9, expires: Millis(9) }
    }

    #[test]
    fn a_kit_becomes_a_brand() {
        let (brand, warnings) = brand(&kit(Some("Manrope"), Some("House Serif")), &offered(), &[]);
        assert!(warnings.is_empty());
        assert_eq!((brand.heading, brand.body), (Some(Family::Manrope), Some(Family::added("House Serif"))));
        assert_eq!((brand.url.as_deref(), brand.footer), (Some("acme.example"), true));
        assert_eq!((brand.style, brand.primary), (Style::by_name("corporate"), Some(Color::rgb8(1, 2, 3))));
        let logo = Logo { key: FileKey([5; 32]), width: 7, height: 8, pixels: None };
        assert_eq!((brand.logo, brand.logo_dark), (None, Some(logo)));
    }

    #[test]
    fn the_account_s_own_families_come_with_their_files() {
        let faces = [face("House Sans", 1), face("Other", 2), face("House Sans", 3)];
        let (both, _) = brand(&kit(Some("House Sans"), Some("House Sans")), &offered(), &faces);
        assert_eq!((both.heading, both.body), (Some(Family::OwnHeading), Some(Family::OwnHeading)));
        let files: Vec<_> = both.faces.iter().map(|f| (f.family, f.key.0[0])).collect();
        assert_eq!(files, [(Family::OwnHeading, 1), (Family::OwnHeading, 3)]);
        let (body, _) = brand(&kit(None, Some("House Sans")), &offered(), &faces);
        assert_eq!((body.heading, body.body, body.faces[0].family), (None, Some(Family::OwnBody), Family::OwnBody));
    }

    #[test]
    fn a_font_that_is_gone_is_warned_of() {
        let (brand, warnings) = brand(&kit(Some("Gone"), None), &offered(), &[]);
        assert_eq!((brand.heading, warnings[0].code), (None, WarningCode::FontUnavailable));
    }
}
