//! Builds requests of both protocols: chat completions and Responses.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::call::{Call, Role, Turn};
use super::dialect::{Api, Dialect, Telling};

/// Tokens assumed for a picture until the server reports its own count.
const PICTURE_TOKENS: u64 = 2_000;
/// Bytes of a prompt per token, a low estimate. The tokens reserved for a call follow from it until the server reports
/// its own count.
const BYTES_A_TOKEN: u64 = 3;

/// Returns the body of a request.
pub(super) fn request(model: &str, call: Call<'_>, dialect: Dialect) -> Vec<u8> {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    match dialect.api {
        Api::Chat => chat(&mut body, call, dialect),
        Api::Responses => responses(&mut body, call, dialect),
    }
    body.insert("stream".into(), json!(dialect.stream));
    if dialect.temperature {
        body.insert("temperature".into(), json!(0));
    }
    Value::Object(body).to_string().into_bytes()
}

fn chat(body: &mut Map<String, Value>, call: Call<'_>, dialect: Dialect) {
    let content = |turn: &Turn| match &turn.picture {
        None => json!(turn.text),
        Some(picture) => {
            json!([{ "type": "text", "text": turn.text }, { "type": "image_url", "image_url": { "url": url(picture) } }])
        }
    };
    body.insert("messages".into(), json!(messages(call, dialect, content)));
    let most = if dialect.renamed { "max_completion_tokens" } else { "max_tokens" };
    body.insert(most.into(), json!(call.max_tokens));
    if dialect.seed {
        // All servers read 31-bit values as integers.
        body.insert("seed".into(), json!(call.seed % (1 << 31)));
    }
    if dialect.stream && dialect.counts {
        body.insert("stream_options".into(), json!({ "include_usage": true }));
    }
    let format = call.form.and_then(|form| match dialect.form {
        Telling::Schema => {
            let schema = json!({ "name": form.name, "strict": true, "schema": form.schema });
            Some(json!({ "type": "json_schema", "json_schema": schema }))
        }
        Telling::Object => Some(json!({ "type": "json_object" })),
        Telling::Words => None,
    });
    body.extend(format.map(|format| ("response_format".to_owned(), format)));
}

/// Builds a request of Responses, which has no seed and stores answers on the server unless `store` is false.
fn responses(body: &mut Map<String, Value>, call: Call<'_>, dialect: Dialect) {
    let content = |turn: &Turn| match &turn.picture {
        None => json!(turn.text),
        Some(picture) => {
            json!([{ "type": "input_text", "text": turn.text }, { "type": "input_image", "image_url": url(picture) }])
        }
    };
    body.insert("input".into(), json!(messages(call, dialect, content)));
    body.insert("max_output_tokens".into(), json!(call.max_tokens));
    body.insert("store".into(), json!(false));
    let format = call.form.and_then(|form| match dialect.form {
        Telling::Schema => {
            Some(json!({ "type": "json_schema", "name": form.name, "strict": true, "schema": form.schema }))
        }
        Telling::Object => Some(json!({ "type": "json_object" })),
        Telling::Words => None,
    });
    body.extend(format.map(|format| ("text".to_owned(), json!({ "format": format }))));
}

/// Returns the turns of a call, plus the form as an instruction where the server does not enforce schemas.
fn messages(call: Call<'_>, dialect: Dialect, content: impl Fn(&Turn) -> Value) -> Vec<Value> {
    let mut messages: Vec<Value> =
        call.turns.iter().map(|turn| json!({ "role": turn.role.name(), "content": content(turn) })).collect();
    if let Some(form) = call.form.filter(|_| dialect.form != Telling::Schema) {
        // After the system instructions, before the source material.
        let words = json!({ "role": Role::System.name(), "content": form.in_words() });
        messages.insert(1.min(messages.len()), words);
    }
    messages
}

fn url(picture: &Bytes) -> String {
    format!("data:image/jpeg;base64,{}", STANDARD.encode(picture))
}

/// Estimates the tokens of `turns`; the estimate is seldom too low. A picture's tokens depend on its pixels, not on its
/// bytes.
pub(super) fn estimate(turns: &[Turn]) -> u64 {
    let bytes: usize = turns.iter().map(|turn| turn.text.len()).sum();
    let pictures = turns.iter().filter(|turn| turn.picture.is_some()).count();
    tokens_of(bytes) + PICTURE_TOKENS * pictures as u64
}

/// Estimates the tokens of this many bytes of text.
pub(super) fn tokens_of(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(BYTES_A_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::super::call::Form;
    use super::*;

    fn body(dialect: Dialect) -> Value {
        let schema = json!({"type": "object"});
        let turns = [Turn::new(Role::System, "You write."), Turn::new(Role::User, "Tides \"rise\".")];
        let form = Some(Form { name: "outline", schema: &schema });
        let call = Call { turns: &turns, form, max_tokens: 9, seed: u64::MAX };
        serde_json::from_slice(&request("m", call, dialect)).unwrap()
    }

    const BARE: Dialect = Dialect {
        api: Api::Chat,
        form: Telling::Words,
        renamed: true,
        temperature: false,
        seed: false,
        stream: false,
        counts: true,
    };

    #[test]
    fn a_request_has_the_fields_of_its_dialect() {
        let whole = body(Dialect::default());
        assert_eq!(whole["response_format"]["json_schema"]["schema"], json!({"type": "object"}));
        assert_eq!(whole["messages"][1], json!({"role": "user", "content": "Tides \"rise\"."}));
        assert_eq!((&whole["max_tokens"], &whole["temperature"]), (&json!(9), &json!(0)));
        assert_eq!((&whole["stream"], &whole["stream_options"]["include_usage"]), (&json!(true), &json!(true)));
        assert!(whole["seed"].as_u64().unwrap() < 1 << 31);
        let bare = body(BARE);
        for gone in ["response_format", "max_tokens", "temperature", "seed", "stream_options"] {
            assert!(bare.get(gone).is_none(), "{gone}");
        }
        assert_eq!((&bare["max_completion_tokens"], &bare["stream"]), (&json!(9), &json!(false)));
        assert!(bare["messages"][1]["content"].as_str().unwrap().contains("JSON schema"));
        assert_eq!(bare["messages"][2]["role"], "user");
    }

    #[test]
    fn responses_has_fields_of_its_own() {
        let whole = body(Dialect { api: Api::Responses, ..Dialect::default() });
        assert_eq!(whole["input"][0], json!({"role": "system", "content": "You write."}));
        assert_eq!(whole["text"]["format"]["schema"], json!({"type": "object"}));
        assert_eq!((&whole["max_output_tokens"], &whole["store"]), (&json!(9), &json!(false)));
        for gone in ["messages", "max_tokens", "seed", "stream_options", "response_format"] {
            assert!(whole.get(gone).is_none(), "{gone}");
        }
        let bare = body(Dialect { api: Api::Responses, ..BARE });
        assert!(bare.get("text").is_none() && bare["input"].to_string().contains("JSON schema"));
    }

    #[test]
    fn a_picture_stands_beside_the_words_and_counts_by_itself() {
        let turn = Turn { picture: Some(Bytes::from_static(b"jpeg")), ..Turn::new(Role::User, "Look.") };
        let asked = |api| {
            let call = Call { turns: std::slice::from_ref(&turn), form: None, max_tokens: 9, seed: 0 };
            serde_json::from_slice::<Value>(&request("m", call, Dialect { api, ..Dialect::default() })).unwrap()
        };
        let content = asked(Api::Chat)["messages"][0]["content"].clone();
        assert_eq!(content[0], json!({"type": "text", "text": "Look."}));
        assert_eq!(content[1]["image_url"]["url"], "data:image/jpeg;base64,anBlZw==");
        let content = asked(Api::Responses)["input"][0]["content"].clone();
        assert_eq!(content[1], json!({"type": "input_image", "image_url": "data:image/jpeg;base64,anBlZw=="}));
        let large = Turn { picture: Some(Bytes::from(vec![0; 300_000])), ..Turn::new(Role::User, "x".repeat(3_000)) };
        assert_eq!(estimate(&[large]), 1_000 + PICTURE_TOKENS);
    }
}
