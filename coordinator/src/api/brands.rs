//! `/api/brands`: the account's brand kits.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use render_core::scene::Color;
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::files::logo_key;
use super::spec::examples;
use super::spec::params::{BrandId, IdempotencyKey};
use super::spec::requests::BrandRequest;
use super::{fonts, kit};
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{self, ApiError, Detail, Missing};
use crate::http::idempotency::{self, Done, Idempotent};
use crate::http::json::Unparsed;
use crate::http::names;
use crate::http::path::{Id, kind};
use crate::http::query::{self, NoParameters};
use crate::state::{Full, Kit, KitLogo, LogoVariant, Shown};

const PATH: &str = "/api/brands";

/// The account's brand kits.
#[derive(Debug, Serialize, ToSchema)]
pub struct BrandsAnswer {
    /// The brand kits, oldest first.
    brands: Vec<Brand>,
    /// The number of brand kits.
    #[schema(examples(1))]
    count: usize,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A response with one brand kit.
#[derive(Debug, Serialize, ToSchema)]
pub struct BrandAnswer {
    /// The brand kit.
    brand: Brand,
}

/// A response with a brand kit that was created or replaced.
#[derive(Debug, Serialize, ToSchema)]
pub struct BrandWritten {
    /// The brand kit as it is now.
    brand: Brand,
    /// Warnings about the request, such as unknown fields.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A brand kit: the colours, fonts, logos and texts that make images look like one brand.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::brand())))]
pub(super) struct Brand {
    /// The id of the brand kit, a UUID of version 7.
    id: Uuid,
    /// The name of the brand.
    #[schema(examples("Acme"))]
    name: String,
    /// Whether the console preselects this brand kit.
    is_default: bool,
    /// The brand's colours. For a colour that is `null`, the style decides.
    colors: BrandColors,
    /// The brand's font families. For a family that is `null`, the style decides.
    fonts: BrandFonts,
    /// Signed URL of the logo for light backgrounds; `null` if there is none.
    #[schema(required, format = "uri")]
    logo_url: Option<String>,
    /// Signed URL of the logo for dark backgrounds; `null` if there is none.
    #[schema(required, format = "uri")]
    logo_dark_url: Option<String>,
    /// The brand's tone of voice.
    #[schema(required, examples("warm, plain"))]
    tone: Option<String>,
    /// The brand's handle on social networks.
    #[schema(required, examples("@acme"))]
    handle: Option<String>,
    /// The address of the brand's website.
    #[schema(required, examples("https://acme.example"))]
    url: Option<String>,
    /// The style of generations that use this brand kit and name no style themselves.
    #[schema(required, value_type = Option<names::VisualStyle>)]
    visual_style: Option<String>,
    /// Whether pages carry the brand in their footer. `null` means that it was not set and counts as `true`.
    #[schema(required, examples(true))]
    footer: Option<bool>,
    /// When the brand kit was created.
    #[schema(format = DateTime, examples("2026-01-31T12:00:00.000Z"))]
    created_at: String,
    /// When the brand kit was last changed.
    #[schema(format = DateTime, examples("2026-01-31T12:00:00.000Z"))]
    updated_at: String,
}

/// The colours of a brand, as `#rrggbb`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BrandColors {
    /// The main colour of the brand.
    #[schema(required, pattern = "^#[0-9a-f]{6}$", examples("#0a5f38"))]
    primary: Option<String>,
    /// The secondary colour of the brand.
    #[schema(required, pattern = "^#[0-9a-f]{6}$", examples(json!(null)))]
    secondary: Option<String>,
    /// The accent colour, for elements that should stand out.
    #[schema(required, pattern = "^#[0-9a-f]{6}$", examples("#ff7a00"))]
    accent: Option<String>,
    /// The background colour of pages.
    #[schema(required, pattern = "^#[0-9a-f]{6}$", examples(json!(null)))]
    background: Option<String>,
    /// The text colour.
    #[schema(required, pattern = "^#[0-9a-f]{6}$", examples(json!(null)))]
    text: Option<String>,
}

/// The font families of a brand.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BrandFonts {
    /// The family for headings.
    #[schema(required, examples("Instrument Serif"))]
    heading: Option<String>,
    /// The family for all other text.
    #[schema(required, examples("Inter Tight"))]
    body: Option<String>,
}

/// List brand kits
///
/// Returns the account's brand kits, oldest first.
#[utoipa::path(
    get,
    path = "/api/brands",
    operation_id = "listBrands",
    tag = "Brand kits",
    security(("apiKey" = ["brands:read"])),
    responses((status = 200, description = "The brand kits.", body = BrandsAnswer)),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::BrandsRead>,
    NoParameters(warnings): NoParameters,
) -> Result<Json<BrandsAnswer>, ApiError> {
    let account = caller.account_id;
    let kits = app.store.run(move |store| store.kits(account)).await?;
    let now = Millis::now();
    let brands: Vec<Brand> = kits.iter().map(|(kit, default)| view(kit, *default, &app, now)).collect();
    Ok(Json(BrandsAnswer { count: brands.len(), brands, warnings }))
}

/// Read a brand kit
///
/// Returns one of the account's brand kits.
#[utoipa::path(
    get,
    path = "/api/brands/{id}",
    operation_id = "readBrand",
    tag = "Brand kits",
    security(("apiKey" = ["brands:read"])),
    params(BrandId),
    responses((status = 200, description = "The brand kit.", body = BrandAnswer)),
    extensions(("x-codes" = json!(["brand_not_found"]))),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::BrandsRead>,
    Id(id, ..): Id<kind::Brand>,
) -> Result<Json<BrandAnswer>, ApiError> {
    let account = caller.account_id;
    let (kit, default) =
        app.store.run(move |store| store.kit(account, id)).await?.ok_or(ApiError::Missing(Missing::Brand))?;
    Ok(Json(BrandAnswer { brand: view(&kit, default, &app, Millis::now()) }))
}

/// Create a brand kit
///
/// An account can have at most 50 brand kits. Only `name` is required; for anything left out, the style decides. Upload
/// logos afterwards, each as the body of `PUT /api/brands/{id}/logo`.
#[utoipa::path(
    post,
    path = "/api/brands",
    operation_id = "createBrand",
    tag = "Brand kits",
    security(("apiKey" = ["brands:write"])),
    params(IdempotencyKey),
    request_body(content = BrandRequest, description = "The brand kit, in at most 1 MB."),
    responses((
        status = 201,
        description = "The brand kit was created.",
        body = BrandWritten,
        headers(("Location" = String, description = "The path of the brand kit.")),
    )),
    extensions(("x-codes" = json!(["no_workers"]))),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::BrandsWrite>,
    NoParameters(of_query): NoParameters,
    sent: Idempotent<Unparsed>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    sent.answer(&app, account, async |body, key| {
        let written = kit::read(&body.fields()?, Some(&fonts::offered(&app, account).await?))?;
        let (now, content) = (Millis::now(), written.content.clone());
        let kit = Kit { id: Uuid::now_v7(), content, logo: None, logo_dark: None, created: now, updated: now };
        let (default, most, mut warnings) = (written.default, app.max_brands, written.warnings(|_| false));
        warnings.extend(of_query);
        let answer = {
            let app = Arc::clone(&app);
            move |(kit, default): &Shown| {
                let body = answer(kit, *default, warnings.clone(), &app);
                idempotency::success(StatusCode::CREATED, Some(format!("{PATH}/{}", kit.id)), &body)
            }
        };
        let keyed = key.keyed(answer.clone());
        let made = app.store.run(move |store| store.make_kit(account, &kit, default, most, keyed.as_ref())).await?;
        Done::of(made, answer, |Full| {
            let message = format!("The account already has {most} brand kits, the maximum. Delete one first.");
            ApiError::Invalid(vec![Detail::new("brands", "too_many_brands", message)])
        })
    })
    .await
}

/// Replace a brand kit
///
/// A field that you leave out is cleared. Logos stay unless you send their URL as `null`. You can send a brand kit back
/// as you read it.
#[utoipa::path(
    put,
    path = "/api/brands/{id}",
    operation_id = "replaceBrand",
    tag = "Brand kits",
    security(("apiKey" = ["brands:write"])),
    params(BrandId),
    request_body(content = BrandRequest, description = "The brand kit, in at most 1 MB."),
    responses((status = 200, description = "The brand kit as it is now.", body = BrandWritten)),
    extensions(("x-codes" = json!(["brand_not_found", "no_workers"]))),
)]
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::BrandsWrite>,
    // The body is received before the id is checked, and parsed once the brand kit is found.
    id: Result<Id<kind::Brand>, ApiError>,
    NoParameters(of_query): NoParameters,
    body: Unparsed,
) -> Result<Json<BrandWritten>, ApiError> {
    let (account, Id(id, ..)) = (caller.account_id, id?);
    let there = app.store.run(move |store| store.kit(account, id)).await?;
    there.ok_or(ApiError::Missing(Missing::Brand))?;
    let written = kit::read(&body.fields()?, Some(&fonts::offered(&app, account).await?))?;
    let (content, default, without) = (written.content.clone(), written.default, written.without.clone());
    let replace =
        move |store: &crate::state::Store| store.replace_kit(account, id, &content, default, &without, Millis::now());
    let (kit, default) = app.store.run(replace).await?.ok_or(ApiError::Missing(Missing::Brand))?;
    let mut warnings = written.warnings(|variant| kit.has_logo(variant));
    warnings.extend(of_query);
    Ok(Json(answer(&kit, default, warnings, &app)))
}

/// Delete a brand kit
///
/// Generations that used the brand kit are not affected.
#[utoipa::path(
    delete,
    path = "/api/brands/{id}",
    operation_id = "deleteBrand",
    tag = "Brand kits",
    security(("apiKey" = ["brands:write"])),
    params(BrandId),
    responses((status = 204, description = "The brand kit was deleted.")),
    extensions(("x-codes" = json!(["brand_not_found"]))),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::BrandsWrite>,
    Id(id, ..): Id<kind::Brand>,
) -> Result<Response, ApiError> {
    let account = caller.account_id;
    let was_there = app.store.run(move |store| store.remove_kit(account, id)).await?;
    if was_there { Ok(error::nothing_left()) } else { Err(ApiError::Missing(Missing::Brand)) }
}

/// Builds the response for a saved kit with its warnings.
pub(super) fn answer(kit: &Kit, default: bool, warnings: Vec<Warning>, app: &App) -> BrandWritten {
    BrandWritten { brand: view(kit, default, app, Millis::now()), warnings }
}

fn view(kit: &Kit, default: bool, app: &App, now: Millis) -> Brand {
    let content = &kit.content;
    let color = |c: Option<[u8; 3]>| c.map(|[r, g, b]| Color::rgb8(r, g, b).to_hex());
    let url = |logo: &Option<KitLogo>| logo.map(|logo| app.signer.url(&logo_key(&logo.blob), now));
    Brand {
        id: kit.id,
        name: content.name.clone(),
        is_default: default,
        colors: BrandColors {
            primary: color(content.colors.primary),
            secondary: color(content.colors.secondary),
            accent: color(content.colors.accent),
            background: color(content.colors.background),
            text: color(content.colors.text),
        },
        fonts: BrandFonts { heading: content.heading.clone(), body: content.body.clone() },
        logo_url: url(&kit.logo),
        logo_dark_url: url(&kit.logo_dark),
        tone: content.tone.clone(),
        handle: content.handle.clone(),
        url: content.url.clone(),
        visual_style: content.style.clone(),
        footer: content.footer,
        created_at: kit.created.to_string(),
        updated_at: kit.updated.to_string(),
    }
}

/// The query parameter that names a logo variant.
pub(super) const VARIANT: &str = "variant";

/// Returns the variant that the query names, or the light variant if it names none.
///
/// # Errors
/// [`ApiError::Invalid`] if the variant is unknown.
pub(super) fn variant(uri: &Uri) -> Result<LogoVariant, ApiError> {
    let pairs = query::pairs(uri)?;
    let named = pairs.iter().rfind(|(name, _)| name == VARIANT);
    match named.map_or("light", |(_, value)| value.as_str()) {
        "light" => Ok(LogoVariant::Light),
        "dark" => Ok(LogoVariant::Dark),
        _ => {
            let message = "variant must be light (for light backgrounds) or dark.";
            Err(ApiError::Invalid(vec![Detail::new(VARIANT, "invalid_value", message)]))
        }
    }
}
