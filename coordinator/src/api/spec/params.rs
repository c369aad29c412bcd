//! Parameters of requests beside their bodies, for the document alone: what reads them stands with the handlers.
#![allow(dead_code, reason = "these types are read by the derive alone")]

use utoipa::IntoParams;
use uuid::Uuid;

use super::{examples, names};

/// Of every request that may be sent twice.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct Idempotent {
    /// 1 to 255 visible ASCII characters, kept for 24 hours, the account's own: the same key and body give the first answer
    /// again, with `Idempotent-Replayed: true`; another body is 409 `idempotency_conflict`.
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]{1,255}$",
        nullable = false
    )]
    key: Option<String>,
}

/// A generation's place.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GenerationId {
    /// The id of one of the account's generations.
    #[param(example = json!(examples::GENERATION))]
    id: Uuid,
}

/// Which file of a generation's images.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ExportQuery {
    /// What the file is.
    #[param(value_type = names::ExportFormat, example = json!("pdf"))]
    format: String,
    /// The id of the only format whose images it is to hold; all images without it.
    #[param(value_type = Option<names::FormatId>, nullable = false)]
    format_id: Option<String>,
}

/// What icons and pictures are to show.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DrawingsQuery {
    /// Words for what is to be seen.
    #[param(max_length = 100, nullable = false, example = json!("cloud"))]
    query: Option<String>,
    /// Their language; English where it is left out.
    #[param(nullable = false, example = json!("en"))]
    language: Option<String>,
}

/// Which designs are listed.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct DesignsQuery {
    /// What is to choose.
    #[param(value_type = names::DesignAspect, example = json!("style"))]
    aspect: String,
    /// `true` to try each design on every slide of the carousel; not with `layout`.
    #[param(nullable = false)]
    all_slides: Option<bool>,
}

/// An output's place.
#[derive(IntoParams)]
#[into_params(parameter_in = Path, rename_all = "camelCase")]
pub struct OutputPlace {
    /// The id of one of the account's generations.
    #[param(example = json!(examples::GENERATION))]
    id: Uuid,
    /// The id of one of its outputs.
    #[param(example = json!(examples::OUTPUT))]
    output_id: Uuid,
}

/// The place of a subscription's delivery.
#[derive(IntoParams)]
#[into_params(parameter_in = Path, rename_all = "camelCase")]
pub struct DeliveryPlace {
    /// The id of one of the account's subscriptions.
    #[param(example = json!(examples::WEBHOOK))]
    id: Uuid,
    /// The id of one of its deliveries.
    #[param(example = json!(examples::DELIVERY))]
    delivery_id: Uuid,
}

/// The place of a delivery to a generation's `webhookUrl`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path, rename_all = "camelCase")]
pub struct GenerationDeliveryPlace {
    /// The id of one of the account's generations.
    #[param(example = json!(examples::GENERATION))]
    id: Uuid,
    /// The id of one of its deliveries.
    #[param(example = json!(examples::DELIVERY))]
    delivery_id: Uuid,
}

/// A brand kit's place.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct BrandId {
    /// The id of one of the account's brand kits.
    #[param(example = json!(examples::BRAND))]
    id: Uuid,
}

/// Which generations, and which page of them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ListQuery {
    /// How many to a page.
    #[param(minimum = 1, maximum = 100, default = 20, nullable = false)]
    limit: Option<u32>,
    /// Where the page begins: `nextCursor` of the page before it.
    #[param(nullable = false)]
    cursor: Option<String>,
    /// Only those that stand there.
    #[param(value_type = Option<names::GenerationStatus>, nullable = false)]
    status: Option<String>,
    /// Only those whose content was given as this.
    #[param(value_type = Option<names::GivenType>, nullable = false)]
    input_type: Option<String>,
    /// Only those made with this brand kit.
    #[param(nullable = false)]
    brand_id: Option<Uuid>,
    /// Only those accepted after this time, in RFC 3339.
    #[param(format = DateTime, nullable = false)]
    created_after: Option<String>,
    /// Only those accepted before this time, in RFC 3339.
    #[param(format = DateTime, nullable = false)]
    created_before: Option<String>,
    /// Only those that have these words in their title, in the beginning of their text or on one of their pages.
    #[param(max_length = 200, nullable = false)]
    q: Option<String>,
    /// What each generation is shown with: `outputs` for its images, `quality` for the design measures of these too.
    #[param(value_type = Option<Vec<names::Expansion>>, style = Form, explode = false, nullable = false)]
    expand: Option<Vec<String>>,
}

/// Which logo.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VariantQuery {
    /// The ground that it is for.
    #[param(value_type = Option<names::LogoVariant>, default = "light", nullable = false)]
    variant: Option<String>,
}

/// An image's place.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FileKey {
    /// What is to be fetched; it may hold slashes.
    key: String,
}

/// What makes a URL the service's own.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Signed {
    /// Until when the URL is good, in Unix seconds.
    expires: i64,
    /// The service's signature: HMAC-SHA256 in hex.
    #[param(pattern = "^[0-9a-f]{64}$")]
    signature: String,
}

/// Of what may be kept.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IfNoneMatch {
    /// The `ETag` of what the client has: where it is still the same, the answer is 304 without a body.
    #[param(rename = "If-None-Match", nullable = false)]
    tag: Option<String>,
}

/// Which page of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// How many to a page.
    #[param(minimum = 1, maximum = 100, default = 20, nullable = false)]
    limit: Option<u32>,
    /// Where the page begins: `nextCursor` of the page before it.
    #[param(nullable = false)]
    cursor: Option<String>,
}

/// A subscription's place.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WebhookId {
    /// The id of one of the account's subscriptions.
    #[param(example = json!(examples::WEBHOOK))]
    id: Uuid,
}

/// Where a stream goes on.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct LastEventId {
    /// The id of the last event that the client has: the stream goes on after it.
    #[param(rename = "Last-Event-ID", nullable = false)]
    id: Option<String>,
}
