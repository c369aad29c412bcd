//! Room for what requests store, which is reserved before anything is stored.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::App;
use super::error::ApiError;
use crate::accounts::Plan;
use crate::state::{Growth, Storage, StorageFull, Store};

/// What an account keeps.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StorageUse)]
pub struct StorageView {
    /// Bytes of its uploads, inputs, images, exports and brand files, each counted once, and what is reserved for images
    /// that are being made.
    #[schema(examples(18_350_080))]
    used_bytes: u64,
    /// Bytes that the plan includes; `null` where there is no limit.
    #[schema(required, examples(268_435_456))]
    quota_bytes: Option<u64>,
}

impl StorageView {
    /// As an account of this plan sees it.
    pub fn of(storage: &Storage, store: &Store, plan: Plan) -> Self {
        Self { used_bytes: storage.used(), quota_bytes: store.storage_quotas().of(plan) }
    }
}

impl From<StorageFull> for ApiError {
    fn from(full: StorageFull) -> Self {
        crate::meters::storage_refused();
        Self::StorageQuota(full)
    }
}

/// Counts what is about to be stored, where the account has room for it.
///
/// # Errors
/// [`ApiError::StorageQuota`], and those of the state.
pub(super) async fn reserve(app: &App, account: Uuid, growth: Growth) -> Result<(), ApiError> {
    Ok(app.store.run(move |store| store.reserve_storage(account, &growth)).await??)
}
