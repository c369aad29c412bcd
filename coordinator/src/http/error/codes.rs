//! Every error response of the API: one row per error, with its status, type, code, message and retry time. The
//! OpenAPI document and the tests of the documentation read this table.

use std::collections::BTreeSet;
use std::fmt::Display;

use axum::http::StatusCode;

use self::Retry::{After, Never, Varies};

/// When a client may send the same request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Waiting does not help, or nobody knows how long it takes: the response has no `Retry-After`.
    Never,
    /// After this many seconds.
    After(u64),
    /// After a number of seconds that depends on the request.
    Varies,
}

/// Who receives an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Clients of the API.
    Client,
    /// The console and the operator's API. The OpenAPI document does not list the code.
    Console,
    /// Connections that are refused before there is a request. No operation of the OpenAPI document lists the code.
    Connection,
}

/// One error.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// The response status.
    pub status: StatusCode,
    /// The error type: the field `error`.
    pub error: &'static str,
    /// The error code: the field `code`. Two errors that clients handle alike share a code.
    pub code: &'static str,
    /// When a client may send the same request again.
    pub retry: Retry,
    /// Who receives it.
    pub audience: Audience,
    /// What is wrong and how to fix it, in a sentence, with placeholders such as `{limit}`.
    template: &'static str,
    /// Values for the placeholders, for the example in the OpenAPI document.
    example: &'static [(&'static str, &'static str)],
}

impl Row {
    /// Returns the message with these values in place of its placeholders.
    pub fn message(&self, values: &[(&str, &dyn Display)]) -> String {
        let (mut message, mut rest) = (String::with_capacity(self.template.len()), self.template);
        while let Some((before, (name, after))) = rest.split_once('{').and_then(|(b, r)| Some((b, r.split_once('}')?)))
        {
            message.push_str(before);
            let value = values.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
            debug_assert!(value.is_some(), "{}: there is no value for {name}", self.code);
            message.push_str(&value.unwrap_or_default());
            rest = after;
        }
        message.push_str(rest);
        message
    }

    /// Returns an example of the message.
    pub fn example(&self) -> String {
        let values: Vec<(&str, &dyn Display)> = self.example.iter().map(|(k, v)| (*k, v as &dyn Display)).collect();
        self.message(&values)
    }
}

/// Defines [`ErrorCode`] and its table. Each row has a name, a status, a type, a code, a retry time, an audience, a
/// message and, if the message has placeholders, examples of their values.
macro_rules! errors {
    ($($name:ident $status:ident $error:literal $code:literal $retry:expr, $audience:ident,
        $template:literal $({$($key:literal: $value:literal),+})?;)+) => {
        /// An error. The table has a row for each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorCode {
            $(#[doc = $template] $name),+
        }

        /// Every error, in the order of the enum.
        static TABLE: [Row; [$(ErrorCode::$name),+].len()] = [$(Row {
            status: StatusCode::$status,
            error: $error,
            code: $code,
            retry: $retry,
            audience: Audience::$audience,
            template: $template,
            example: &[$($(($key, $value)),+)?],
        }),+];
    };
}

// Rows are sorted by status. The OpenAPI document lists the codes in this order.
errors! {
    InvalidJson BAD_REQUEST "invalid_request" "invalid_json" Never, Client,
        "The body is not a valid JSON object: {why}." {"why": "expected value at line 1 column 1"};
    ValidationFailed BAD_REQUEST "invalid_request" "validation_failed" Never, Client,
        "{why}" {"why": "Name the formats to make in outputFormats."};
    PageInvalid BAD_REQUEST "invalid_request" "page_invalid" Never, Client,
        "{why}" {"why": "headline-1: 61 characters, 45 fit"};
    LogoInvalid BAD_REQUEST "invalid_request" "logo_invalid" Never, Client,
        "This logo can't be used: {why}." {"why": "the picture is broken"};
    InvalidPrompt BAD_REQUEST "invalid_request" "invalid_prompt" Never, Client,
        "{why}" {"why": "Say in prompt what to change, as a string."};
    InstructionNotUnderstood BAD_REQUEST "invalid_request" "instruction_not_understood" Never, Client,
        "This instruction can't be carried out: {why}. Send refinedInstruction back as the answer gave it."
        {"why": "the instruction can't be read at \"bigger\""};
    InvalidCursor BAD_REQUEST "invalid_request" "invalid_cursor" Never, Client,
        "{why}" {"why": "cursor must be the nextCursor of a page of this list. Leave it out for the first page."};
    HostInvalid BAD_REQUEST "invalid_request" "host_invalid" Never, Connection,
        "Send exactly one Host header (HTTP/2: :authority) with a host and, optionally, a port.";
    MalformedRequest BAD_REQUEST "invalid_request" "malformed_request" Never, Connection,
        "This is not a valid HTTP/1.1 or HTTP/2 request.";
    TlsRequired BAD_REQUEST "invalid_request" "tls_required" Never, Connection,
        "This port accepts only TLS. Use https instead of http.";

    ApiKeyMissing UNAUTHORIZED "authentication_error" "api_key_missing" Never, Client,
        "Send your API key in the header X-API-Key, or as Authorization: Bearer.";
    ApiKeyInvalid UNAUTHORIZED "authentication_error" "api_key_invalid" Never, Client,
        "This API key is not valid. Check it for typing errors, or create a new key.";
    ApiKeyRevoked UNAUTHORIZED "authentication_error" "api_key_revoked" Never, Client,
        "This API key was revoked. Use another one.";
    SessionMissing UNAUTHORIZED "authentication_error" "session_missing" Never, Console, "Log in first.";
    SessionInvalid UNAUTHORIZED "authentication_error" "session_invalid" Never, Console,
        "This session has ended. Log in again.";
    CredentialsInvalid UNAUTHORIZED "authentication_error" "credentials_invalid" Never, Console,
        "The e-mail address or the password is wrong.";
    AdminTokenInvalid UNAUTHORIZED "authentication_error" "admin_token_invalid" Never, Console,
        "Send the operator's token as Authorization: Bearer …. It is in the file admin-token in the data folder.";

    InsufficientCredits PAYMENT_REQUIRED "insufficient_credits" "insufficient_credits" Never, Client,
        "This costs {required} credits, but the account has only {available}. Add credits, or request fewer images."
        {"required": "40", "available": "25"};
    MaxCreditsExceeded PAYMENT_REQUIRED "insufficient_credits" "max_credits_exceeded" Never, Client,
        "This costs {required} credits, but maxCredits allows {max_credits}. Raise maxCredits, or request fewer images."
        {"required": "40", "max_credits": "30"};

    AccountDeactivated FORBIDDEN "permission_error" "account_deactivated" Never, Client, "This account is deactivated.";
    InsufficientScope FORBIDDEN "permission_error" "insufficient_scope" Never, Client,
        "This API key lacks the scope {scope}." {"scope": "generations:write"};
    RoleRequired FORBIDDEN "permission_error" "role_required" Never, Console,
        "Only a holder of the account may do this. Ask one to do it.";
    CsrfTokenInvalid FORBIDDEN "permission_error" "csrf_token_invalid" Never, Console,
        "Send the session's csrfToken in the header X-CSRF-Token.";
    OriginNotAllowed FORBIDDEN "permission_error" "origin_not_allowed" Never, Console,
        "This request is only accepted from the service's own pages.";
    PlanRequired FORBIDDEN "permission_error" "plan_required" Never, Client,
        "{why}" {"why": "4K is for paid plans. Ask for 2K, or change the plan."};
    SignatureInvalid FORBIDDEN "permission_error" "signature_invalid" Never, Client,
        "The signature of this URL is not valid. Read the generation or brand kit to get a valid URL.";

    NotFound NOT_FOUND "not_found" "not_found" Never, Client, "There is nothing at this path.";
    GenerationNotFound NOT_FOUND "not_found" "generation_not_found" Never, Client,
        "There is no generation with this id.";
    OutputNotFound NOT_FOUND "not_found" "output_not_found" Never, Client, "There is no image with this id.";
    FormatNotFound NOT_FOUND "not_found" "format_not_found" Never, Client,
        "This generation has no images in this format.";
    BrandNotFound NOT_FOUND "not_found" "brand_not_found" Never, Client, "There is no brand kit with this id.";
    UploadNotFound NOT_FOUND "not_found" "upload_not_found" Never, Client, "There is no upload with this id.";
    AccountNotFound NOT_FOUND "not_found" "account_not_found" Never, Console, "There is no account with this id.";
    DeadLetterNotFound NOT_FOUND "not_found" "dead_letter_not_found" Never, Console,
        "There is no dead letter with this id.";
    KeyNotFound NOT_FOUND "not_found" "key_not_found" Never, Console, "There is no API key with this id.";
    MemberNotFound NOT_FOUND "not_found" "member_not_found" Never, Console, "There is no member with this id.";
    SessionNotFound NOT_FOUND "not_found" "session_not_found" Never, Console, "There is no session with this id.";
    LinkNotFound NOT_FOUND "not_found" "link_not_found" Never, Console,
        "This link does not exist or was already used. Ask for a new one.";
    WebhookNotFound NOT_FOUND "not_found" "webhook_not_found" Never, Client, "There is no webhook with this id.";
    DeliveryNotFound NOT_FOUND "not_found" "delivery_not_found" Never, Client,
        "There is no delivery with this id. Deliveries are kept for seven days.";

    MethodNotAllowed METHOD_NOT_ALLOWED "method_not_allowed" "method_not_allowed" Never, Client,
        "This path does not support this method. The header Allow lists the supported methods.";

    BodyTimeout REQUEST_TIMEOUT "invalid_request" "request_timeout" Never, Client,
        "The body did not arrive in time. Check the connection and send the request again.";
    HeadTimeout REQUEST_TIMEOUT "invalid_request" "request_timeout" Never, Connection,
        "The head of the request did not arrive in time. Check the connection and send the request again.";

    IdempotencyConflict CONFLICT "conflict" "idempotency_conflict" Never, Client,
        "This Idempotency-Key was used for another request. Use a new key for a new request.";
    IdempotencyInProgress CONFLICT "conflict" "idempotency_in_progress" Never, Client,
        "The same request is in progress. Send it again in a moment to get its response.";
    KeyEnded CONFLICT "conflict" "key_ended" Never, Console,
        "This API key has ended or was already rotated. Create a new one.";
    EmailTaken CONFLICT "conflict" "email_taken" Never, Console,
        "Another member already has this e-mail address. Use a different one.";
    LastHolder CONFLICT "conflict" "last_holder" Never, Console,
        "The account needs a holder. Make another member a holder first.";
    MemberDisabled CONFLICT "conflict" "member_disabled" Never, Console, "This member is disabled. Enable it first.";
    NotCancellable CONFLICT "conflict" "not_cancellable" Never, Client,
        "This generation is {status}. Only a pending or processing generation can be cancelled." {"status": "completed"};
    NotRetryable CONFLICT "conflict" "not_retryable" Never, Client,
        "This generation is {status}. Only a partial or failed generation can be retried." {"status": "completed"};
    NotExportable CONFLICT "conflict" "not_exportable" Never, Client,
        "There are no images to export: the generation has not ended yet, all of its images failed, or they were deleted.";
    NotEditable CONFLICT "conflict" "not_ready" Never, Client,
        "This image is not ready, or was deleted. Only images of a generation that has ended can be edited.";
    NotFinished CONFLICT "conflict" "not_ready" Never, Client,
        "This generation is {status}. Only finished images can be used; wait until it has some." {"status": "processing"};
    WrittenPages CONFLICT "conflict" "written_pages" Never, Client,
        "These images were rendered from pages in the page language. Change the pages and render them again.";
    EditInProgress CONFLICT "conflict" "edit_in_progress" Never, Client,
        "Another edit of this image is in progress. Wait until it ends, then try again.";
    StaleInstruction CONFLICT "conflict" "stale_instruction" Never, Client,
        "The image has changed since this instruction was made. Send the prompt again for a new one.";
    WebhookDisabled CONFLICT "conflict" "webhook_disabled" Never, Client,
        "This webhook is disabled. Set active to true first.";

    LinkExpired GONE "gone" "link_expired" Never, Console, "This link has expired. Ask for a new one.";
    UrlExpired GONE "gone" "url_expired" Never, Client,
        "This image URL has expired. Read the generation or brand kit to get a new one.";
    UploadExpired GONE "gone" "upload_expired" Never, Client, "This upload has expired. Upload the file again.";
    InputExpired GONE "gone" "input_expired" Never, Client,
        "The input of this generation was deleted some time after the generation failed. Create a new generation.";

    ExportTooLarge PAYLOAD_TOO_LARGE "invalid_request" "export_too_large" Never, Client,
        "This export would be larger than {limit} MiB. Export one format at a time, with formatId." {"limit": "128"};
    StorageQuota PAYLOAD_TOO_LARGE "storage_quota" "storage_quota" Never, Client,
        "This needs {required} bytes of storage, but the account uses {used} of the {quota} that its plan includes. \
         Delete generations, or change the plan." {"required": "26214400", "used": "255852544", "quota": "268435456"};
    BodyTooLarge PAYLOAD_TOO_LARGE "invalid_request" "body_too_large" Never, Client,
        "The body is larger than {limit} bytes, which is the maximum. Send a smaller one." {"limit": "1048576"};
    UriTooLong URI_TOO_LONG "invalid_request" "uri_too_long" Never, Client,
        "The path and query are too long. Shorten them.";
    UnsupportedMediaType UNSUPPORTED_MEDIA_TYPE "invalid_request" "unsupported_media_type" Never, Client,
        "{why}" {"why": "Send the body as JSON, with Content-Type: application/json."};
    RangeNotSatisfiable RANGE_NOT_SATISFIABLE "invalid_request" "range_not_satisfiable" Never, Client,
        "The range starts beyond the end: the file has {bytes} bytes." {"bytes": "183042"};

    RateLimitExceeded TOO_MANY_REQUESTS "rate_limited" "rate_limit_exceeded" Varies, Client,
        "Too many requests. Try again in {seconds} s." {"seconds": "42"};
    TooManyStreams TOO_MANY_REQUESTS "rate_limited" "too_many_streams" After(5), Client,
        "The account already has {limit} open event streams, the maximum. Close one, or poll the generation instead."
        {"limit": "8"};
    HeadersTooLarge REQUEST_HEADER_FIELDS_TOO_LARGE "invalid_request" "headers_too_large" Never, Client,
        "The request has too many headers, or they are too large. Send fewer or shorter ones.";

    Internal INTERNAL_SERVER_ERROR "internal_error" "internal_error" Never, Client,
        "An internal error occurred. Try again. If it persists, report the requestId to the operator.";
    EditFailed INTERNAL_SERVER_ERROR "internal_error" "render_failed" Never, Client,
        "The new version could not be rendered: {why}. Nothing was changed or charged; try again."
        {"why": "something went wrong inside the renderer"};

    TooManyConnections SERVICE_UNAVAILABLE "unavailable" "too_many_connections" After(10), Connection,
        "There are too many connections. Try again in a moment, and reuse open connections.";
    NoWorkers SERVICE_UNAVAILABLE "unavailable" "no_workers" After(60), Client,
        "No worker is available for this request. Try again later.";
    EditTimedOut SERVICE_UNAVAILABLE "unavailable" "edit_timed_out" After(5), Client,
        "The edit took longer than 60 seconds. Nothing was changed or charged; try again.";
    QueueFull SERVICE_UNAVAILABLE "unavailable" "queue_full" After(60), Client,
        "Too many jobs are waiting. Try again in a minute.";
    Busy SERVICE_UNAVAILABLE "unavailable" "busy" After(5), Client,
        "Too many requests of this kind are in progress, for this account or in total. Try again in a few seconds.";
    StorageUnavailable SERVICE_UNAVAILABLE "unavailable" "storage_unavailable" After(60), Client,
        "The storage is unavailable. Try again in a minute.";
    NotReady SERVICE_UNAVAILABLE "unavailable" "storage_unavailable" After(5), Client,
        "Not ready: {checks}. See details for the causes." {"checks": "disk"};
    ImageDamaged SERVICE_UNAVAILABLE "unavailable" "storage_damaged" After(3), Client,
        "The stored image is damaged. It is being rendered again, free of charge; try again in a few seconds.";
    BlobDamaged SERVICE_UNAVAILABLE "unavailable" "storage_damaged" After(600), Client,
        "The stored data is damaged or missing and can't be restored. The operator has been notified.";
    ShuttingDown SERVICE_UNAVAILABLE "unavailable" "shutting_down" After(5), Client,
        "The service is restarting. Try again in a moment.";
}

impl ErrorCode {
    /// Returns the error's row of the table.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// Returns the first row of every code, in the order of the table. It is the one that the OpenAPI document shows.
pub fn all() -> Vec<&'static Row> {
    let mut seen = BTreeSet::new();
    TABLE.iter().filter(|row| seen.insert(row.code)).collect()
}

/// Returns every error type.
pub fn types() -> BTreeSet<&'static str> {
    TABLE.iter().map(|row| row.error).collect()
}

/// Returns every code that a client of the API can receive.
pub fn client_codes() -> Vec<&'static str> {
    all().into_iter().filter(|row| row.audience != Audience::Console).map(|row| row.code).collect()
}

/// Codes of faults in a request, in `details`, for clients of the API. Estimates also report the codes with which a
/// generation would fail.
pub const DETAILS: [&str; 35] = [
    "page_invalid",
    "missing_field",
    "unsupported_field",
    "invalid_value",
    "unknown_format",
    "carousel_count_out_of_range",
    "content_empty",
    "content_too_long",
    "invalid_characters",
    "url_not_allowed",
    "unknown_language",
    "translation_unavailable",
    "too_many_outputs",
    "too_many_brands",
    "font_invalid",
    "too_many_fonts",
    "unknown_event",
    "too_many_webhooks",
    "too_many_versions",
    "no_content",
    "too_little_content",
    "url_fetch_failed",
    "url_too_large",
    "url_unsupported_type",
    "pdf_invalid",
    "pdf_encrypted",
    "pdf_no_text",
    "pdf_too_large",
    "pdf_too_complex",
    "file_invalid",
    "file_encrypted",
    "file_too_complex",
    "render_failed",
    "timed_out",
    "check_failed",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_one_code_have_one_status_and_type() {
        for row in &TABLE {
            let first = all().into_iter().find(|first| first.code == row.code).unwrap();
            assert_eq!((row.status, row.error), (first.status, first.error), "{}", row.code);
        }
        assert!(TABLE.is_sorted_by_key(|row| row.status));
    }

    #[test]
    fn every_example_is_a_whole_sentence() {
        for row in &TABLE {
            let (example, placeholders) = (row.example(), row.template.matches('{').count());
            assert!(!example.contains(['{', '}']) && !example.is_empty(), "{example}");
            assert_eq!(row.example.len(), placeholders, "{}", row.code);
        }
    }

    #[test]
    fn values_are_inserted_as_they_are() {
        let row = ErrorCode::InsufficientCredits.row();
        let message = row.message(&[("available", &"{required}"), ("required", &40)]);
        assert!(message.starts_with("This costs 40 credits, but the account has only {required}."), "{message}");
    }
}
