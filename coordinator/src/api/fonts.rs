//! `GET /api/fonts`: lists the font families that the account can use.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use render_core::warning::Warning;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::spec::examples;
use crate::access::{Scoped, scope};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::ApiError;
use crate::http::names;
use crate::http::query::NoParameters;

/// The font families that an account can use.
#[derive(Debug, Serialize, ToSchema)]
pub struct FontsAnswer {
    /// The font families.
    fonts: Vec<Font>,
    /// The number of families.
    #[schema(examples(1))]
    count: usize,
    /// Warnings about the query, such as unknown parameters.
    #[schema(value_type = Vec<names::Warning>)]
    warnings: Vec<Warning>,
}

/// A font family.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!(examples::font())))]
pub(super) struct Font {
    /// The family's name, as brand kits refer to it.
    #[schema(examples("Instrument Serif"))]
    family: String,
    /// The family's weights, in ascending order.
    weights: Vec<u16>,
    /// Where the family comes from.
    source: Source,
    /// When the family is deleted; `null` if it is permanent or a brand kit uses it.
    #[schema(required, format = DateTime, examples(json!(null)))]
    expires_at: Option<String>,
}

/// Where a family comes from: `built-in` families are part of the service, the operator added those of the `service`,
/// and the account uploaded those of the `account`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = FontSource)]
pub(super) enum Source {
    /// Part of the service.
    BuiltIn,
    /// Added by the service's operator.
    Service,
    /// Uploaded by the account.
    Account,
}

/// A family that an account can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offered {
    pub family: String,
    /// In ascending order.
    pub weights: Vec<u16>,
    pub source: Source,
    /// When the family is deleted; `None` if it is permanent.
    pub expires: Option<Millis>,
}

/// List fonts
///
/// Returns the font families that this account's brand kits can use: families of the service, of its operator and of
/// the account itself.
#[utoipa::path(
    get,
    path = "/api/fonts",
    operation_id = "listFonts",
    tag = "Brand kits",
    security(("apiKey" = ["brands:read"])),
    responses((status = 200, description = "The font families.", body = FontsAnswer)),
    extensions(("x-codes" = json!(["no_workers"]))),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::BrandsRead>,
    NoParameters(warnings): NoParameters,
) -> Result<Json<FontsAnswer>, ApiError> {
    let offered = offered(&app, caller.account_id).await?;
    let fonts: Vec<Font> = offered.into_iter().map(view).collect();
    Ok(Json(FontsAnswer { count: fonts.len(), fonts, warnings }))
}

fn view(offered: Offered) -> Font {
    let Offered { family, weights, source, expires } = offered;
    Font { family, weights, source, expires_at: expires.map(|t| t.to_string()) }
}

/// Returns the families that an account can use: those of the service, of its operator, and its own.
pub(super) async fn offered(app: &App, account: Uuid) -> Result<Vec<Offered>, ApiError> {
    let importer = app.importer.as_ref().ok_or(ApiError::NoWorkers)?;
    let mut offered: Vec<Offered> = importer
        .families()
        .into_iter()
        .map(|family| Offered {
            source: if family.built_in { Source::BuiltIn } else { Source::Service },
            family: family.name,
            weights: family.weights,
            expires: None,
        })
        .collect();
    let now = Millis::now();
    let faces = app.store.run(move |store| store.faces(account, now)).await?;
    for face in faces {
        let expires = (face.expires > now).then_some(face.expires);
        match offered.iter_mut().find(|o| o.source == Source::Account && o.family == face.family) {
            Some(family) => {
                family.weights.push(face.weight);
                family.weights.sort_unstable();
                family.expires = family.expires.max(expires);
            }
            None => offered.push(Offered {
                family: face.family,
                weights: vec![face.weight],
                source: Source::Account,
                expires,
            }),
        }
    }
    Ok(offered)
}

/// Finds a family by name, ignoring case. The account's own families take precedence over the operator's, and those
/// over the service's.
pub(super) fn found<'o>(offered: &'o [Offered], name: &str) -> Option<&'o Offered> {
    let name = name.trim().to_lowercase();
    offered.iter().rfind(|o| o.family.to_lowercase() == name)
}
