//! `/api/brands`: the account's brand kits.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use render_core::scene::Color;
use render_core::warning::Warning;
use serde_json::{Value, json};
use uuid::Uuid;

use super::caller::Authorised;
use super::error::{self, ApiError, Detail};
use super::files::logo_key;
use super::{App, fonts, idempotency, json, kit};
use crate::accounts::Scope;
use crate::clock::Millis;
use crate::state::{Kit, KitLogo, KitMade, LogoVariant};

const PATH: &str = "/api/brands";

/// The account's brand kits, in the order in which they were made.
pub async fn list(State(app): State<Arc<App>>, caller: Authorised) -> Result<Json<Value>, ApiError> {
    caller.need(Scope::BrandsRead)?;
    let account = caller.account_id;
    let kits = app.store.run(move |store| store.kits(account)).await?;
    let now = Millis::now();
    let brands: Vec<Value> = kits.iter().map(|(kit, default)| view(kit, *default, &app, now)).collect();
    Ok(Json(json!({ "brands": brands, "count": brands.len() })))
}

/// One of them.
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Value>, ApiError> {
    caller.need(Scope::BrandsRead)?;
    let (account, id) = (caller.account_id, id_of(id)?);
    let (kit, default) = app.store.run(move |store| store.kit(account, id)).await?.ok_or(ApiError::BrandNotFound)?;
    Ok(Json(json!({ "brand": view(&kit, default, &app, Millis::now()) })))
}

/// Makes one: 201 once it can't be lost any more.
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Authorised,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    caller.need(Scope::BrandsWrite)?;
    let body = json::read_body(&headers, body).await?;
    let key = idempotency::key(&headers)?;
    let _alone = key.as_deref().map(|k| app.in_flight.take(caller.account_id, k)).transpose()?;
    let fields = json::parse(&body)?;
    let (account, now) = (caller.account_id, Millis::now());
    let idempotency = key.map(|key| (key, idempotency::fingerprint(PATH, &body)));
    // What it names may be gone since it was accepted: its repetition is not judged anew.
    let mut made = None;
    if let Some(under) = idempotency.clone() {
        made = app.store.run(move |store| store.kit_made_under(account, &under, now)).await?;
    }
    let offered = if made.is_none() { Some(fonts::offered(&app, account).await?) } else { None };
    let written = kit::read(&fields, offered.as_deref())?;
    let made = match made {
        Some(made) => made,
        None => {
            let content = written.content.clone();
            let kit = Kit { id: Uuid::now_v7(), content, logo: None, logo_dark: None, created: now, updated: now };
            let (default, most) = (written.default, app.max_brands);
            app.store.run(move |store| store.make_kit(account, &kit, default, most, idempotency.as_ref())).await?
        }
    };
    let warnings = written.warnings(|_| false);
    let answer = |(kit, default): &(Kit, bool), replayed| {
        let body = answer(kit, *default, &warnings, &app);
        error::created_at(&format!("{PATH}/{}", kit.id), &body, replayed)
    };
    match made {
        KitMade::Created(made) => Ok(answer(&made, false)),
        KitMade::Replayed(made) => Ok(answer(&made, true)),
        KitMade::Conflict => Err(ApiError::IdempotencyConflict),
        KitMade::Full => {
            let message = format!("The account has {} brand kits already; delete one first.", app.max_brands);
            Err(ApiError::Invalid(vec![Detail::new("brands", "too_many_brands", message)]))
        }
    }
}

/// Replaces what the owner of a kit wrote. Logos stay, but where their URL is sent as `null`.
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, ApiError> {
    caller.need(Scope::BrandsWrite)?;
    let body = json::read_body(&headers, body).await?;
    let (account, id) = (caller.account_id, id_of(id)?);
    let there = app.store.run(move |store| store.kit(account, id)).await?;
    there.ok_or(ApiError::BrandNotFound)?;
    let written = kit::read(&json::parse(&body)?, Some(&fonts::offered(&app, account).await?))?;
    let (content, default, without) = (written.content.clone(), written.default, written.without.clone());
    let replace =
        move |store: &crate::state::Store| store.replace_kit(account, id, &content, default, &without, Millis::now());
    let (kit, default) = app.store.run(replace).await?.ok_or(ApiError::BrandNotFound)?;
    let warnings = written.warnings(|variant| kit.has_logo(variant));
    Ok(Json(answer(&kit, default, &warnings, &app)))
}

/// Deletes one. What was made with it stays.
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Authorised,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    caller.need(Scope::BrandsWrite)?;
    let (account, id) = (caller.account_id, id_of(id)?);
    let was_there = app.store.run(move |store| store.remove_kit(account, id)).await?;
    if was_there { Ok(error::nothing_left()) } else { Err(ApiError::BrandNotFound) }
}

/// The id in a path; what is none names nothing.
pub(super) fn id_of(id: Result<Path<String>, PathRejection>) -> Result<Uuid, ApiError> {
    id.ok().and_then(|Path(id)| id.parse().ok()).ok_or(ApiError::BrandNotFound)
}

/// A kit that was written, and what the client should know about that.
pub(super) fn answer(kit: &Kit, default: bool, warnings: &[Warning], app: &App) -> Value {
    json!({ "brand": view(kit, default, app, Millis::now()), "warnings": warnings })
}

fn view(kit: &Kit, default: bool, app: &App, now: Millis) -> Value {
    let content = &kit.content;
    let color = |c: Option<[u8; 3]>| c.map(|[r, g, b]| Color::rgb8(r, g, b).to_hex());
    let url = |logo: &Option<KitLogo>| logo.map(|logo| app.signer.url(&logo_key(&logo.blob), now));
    json!({
        "id": kit.id,
        "name": content.name,
        "isDefault": default,
        "colors": {
            "primary": color(content.colors.primary),
            "secondary": color(content.colors.secondary),
            "accent": color(content.colors.accent),
            "background": color(content.colors.background),
            "text": color(content.colors.text),
        },
        "fonts": { "heading": content.heading, "body": content.body },
        "logoUrl": url(&kit.logo),
        "logoDarkUrl": url(&kit.logo_dark),
        "tone": content.tone,
        "handle": content.handle,
        "url": content.url,
        "visualStyle": content.style,
        "footer": content.footer,
        "createdAt": kit.created.to_string(),
        "updatedAt": kit.updated.to_string(),
    })
}

/// The variant that a query names; the one for light grounds where it names none.
pub(super) fn variant(query: &str) -> Result<LogoVariant, ApiError> {
    let named = query.split('&').filter_map(|pair| pair.split_once('=')).rfind(|(name, _)| *name == "variant");
    match named.map_or("light", |(_, value)| value) {
        "light" => Ok(LogoVariant::Light),
        "dark" => Ok(LogoVariant::Dark),
        _ => {
            let message = "variant must be light (for light grounds) or dark.";
            Err(ApiError::Invalid(vec![Detail::new("variant", "invalid_value", message)]))
        }
    }
}
