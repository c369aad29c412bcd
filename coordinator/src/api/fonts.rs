//! `GET /api/fonts`: the families that the account can use.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use uuid::Uuid;

use super::App;
use super::caller::Authorised;
use super::error::ApiError;
use crate::accounts::Scope;
use crate::clock::Millis;

/// Where a family comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// It is part of the service.
    BuiltIn,
    /// The service's operator added it.
    Service,
    /// The account sent it.
    Account,
}

/// A family that an account can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offered {
    pub family: String,
    /// Ascending.
    pub weights: Vec<u16>,
    pub source: Source,
    /// Until when it is kept, where it is not for good.
    pub expires: Option<Millis>,
}

/// The families that the account can use.
pub async fn list(State(app): State<Arc<App>>, caller: Authorised) -> Result<Json<Value>, ApiError> {
    caller.need(Scope::BrandsRead)?;
    let offered = offered(&app, caller.account_id).await?;
    let fonts: Vec<Value> = offered.iter().map(view).collect();
    Ok(Json(json!({ "fonts": fonts, "count": fonts.len() })))
}

fn view(offered: &Offered) -> Value {
    json!({
        "family": offered.family,
        "weights": offered.weights,
        "source": match offered.source {
            Source::BuiltIn => "built-in",
            Source::Service => "service",
            Source::Account => "account",
        },
        "expiresAt": offered.expires.map(|t| t.to_string()),
    })
}

/// The families that an account can use: the service's, its operator's, its own.
pub(super) async fn offered(app: &App, account: Uuid) -> Result<Vec<Offered>, ApiError> {
    let intake = app.intake.as_ref().ok_or(ApiError::NoWorkers)?;
    let mut offered: Vec<Offered> = intake
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

/// The family of this name, whatever its case: the account's own before the operator's, that before the service's.
pub(super) fn found<'o>(offered: &'o [Offered], name: &str) -> Option<&'o Offered> {
    let name = name.trim().to_lowercase();
    offered.iter().rfind(|o| o.family.to_lowercase() == name)
}
