//! Describes the requests that the service sends to receivers: one webhook in the document per event.

use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn, PathItem, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Ref, Required, ResponseBuilder};

use super::super::webhooks::deliveries::Told;
use crate::state::Event;

/// Headers of a delivery: name, description, example.
const HEADERS: [(&str, &str, &str); 3] = [
    ("X-Vivid-Event", "The event, as in `type`.", "generation.completed"),
    (
        "X-Vivid-Delivery",
        "The id of the delivery, as in `id`. It is the same in every attempt: store the ids you have processed to deduplicate.",
        "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e93",
    ),
    (
        "X-Vivid-Signature",
        "`t=` and the time of the attempt in Unix seconds, a comma, `v1=` and the HMAC-SHA256 of that time, a dot and the \
         body, in hexadecimal. The key is the secret including `whsec_`: that of the subscription or, for a \
         `webhookUrl`, the account's. If there are several `v1`, one must match.",
        "t=1769860801,v1=5f0c2f4a0a2e1f5d8f1f5a1c8c3b6f0d9e7a4b2c1d0e9f8a7b6c5d4e3f2a1b0c",
    ),
];

/// Returns the webhooks of the document, by event.
pub fn webhooks() -> Paths {
    let item = |event: Event| PathItem::new(HttpMethod::Post, operation(event));
    Event::ALL.into_iter().chain([Event::Test]).fold(Paths::new(), |mut paths, event| {
        paths.paths.insert(event.name().to_owned(), item(event));
        paths
    })
}

fn operation(event: Event) -> Operation {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let headers = HEADERS.map(|(name, about, example)| {
        let header = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header).required(Required::True);
        let example = if name == "X-Vivid-Event" { event.name() } else { example };
        header.description(Some(about)).schema(Some(text().examples([example]))).build()
    });
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(Told::name()))).build();
    let body = RequestBodyBuilder::new()
        .description(Some("Verify the signature over the raw bytes before you parse them."))
        .content("application/json", content)
        .required(Some(Required::True));
    let answer = |about: &str| ResponseBuilder::new().description(about).build();
    OperationBuilder::new()
        .operation_id(Some(operation_id(event)))
        .tag("Webhooks")
        .summary(Some(format!("Receive {}", event.name())))
        .description(Some(about(event)))
        .parameters(Some(headers))
        .request_body(Some(body.build()))
        .response(
            "2XX",
            answer("The delivery is received. Respond within 10 seconds, and do any longer work afterwards."),
        )
        .response("410", answer("The receiver is gone: the subscription is disabled and gets no more deliveries."))
        .response("default", answer("The delivery is retried, for about a day in total."))
        .securities(Some([]))
        .build()
}

/// Converts `generation.completed` to `receiveGenerationCompleted`.
fn operation_id(event: Event) -> String {
    let words = event.name().split(['.', '_']).map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    });
    format!("receive{}", words.collect::<String>())
}

fn about(event: Event) -> &'static str {
    match event {
        Event::Completed => "Every image of a generation is ready.",
        Event::Partial => "A generation has ended, and some of its images failed. Their credits are refunded.",
        Event::Failed => "A generation has ended without images. Its credits are refunded; `error` says why.",
        Event::Cancelled => "A generation was cancelled. Images that were ready are kept.",
        Event::Test => "A test of a subscription. It has no generation and is not retried.",
    }
}
