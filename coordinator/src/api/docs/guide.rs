//! The parts of the page that are not generated from operations: how to make a first image, and how to receive
//! deliveries.

use std::fmt::Write;

use super::example::{self, Snippet};
use super::fields::{Fields, parameter};
use super::html::{escaped, inline, panel, paragraphs};
use super::tree::Json;

/// The body of the first request.
const FIRST: &str = r##"{
    "inputType": "text",
    "inputContent": "# Sleep better\n\n- Keep one bedtime\n- No screens in the last hour\n- Cool the room to 18 °C",
    "outputFormats": ["instagram_post"]
  }"##;
/// A complete receiver program in each language.
const RECEIVERS: [(&str, &str); 4] = [
    ("Python", include_str!("snippets/receiver.py")),
    ("Node.js", include_str!("snippets/receiver.mjs")),
    ("Go", include_str!("snippets/receiver.go")),
    ("PHP", include_str!("snippets/receiver.php")),
];
const DELIVERIES: &str = "\
    A subscription is notified when any generation of the account ends; the `webhookUrl` of a creation, when that \
    generation ends. Each notification is a POST with a JSON body.\n\nRespond with any 2xx within 10 seconds, and do \
    longer work afterwards. After any other result the service retries in about 10 seconds, 1, 5 and 30 minutes, 2, \
    6 and 12 hours, about a day in total. 410 disables the subscription. Deliveries may arrive more than once and in \
    any order, so store the ids you have processed.\n\nVerify the signature over the raw bytes before you parse \
    them. Compare in constant time, and reject a time that is more than five minutes off. These programs do so: set \
    the secret at the top.";

/// Renders the title, the introduction and the steps to a first image.
pub fn introduction(root: &Json, title: &str) -> String {
    let base = example::base(root);
    let mut about = root.at("#/info/description").text().splitn(2, "\n\n");
    let (lead, rest) = (about.next().unwrap_or_default(), about.next().unwrap_or_default());
    let create = Snippet::new(root).with_key().command(&format!(
        "curl -s \"$BASE_URL/api/generations\" \\\n  -H \"X-API-Key: $API_KEY\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{FIRST}'"
    ));
    let id =
        root.at("#/components/schemas/Generation").get("examples").items().first().map_or("", |g| g.get("id").text());
    let read = Snippet::new(root)
        .with_key()
        .set("ID", id)
        .command("curl -s \"$BASE_URL/api/generations/$ID\" \\\n  -H \"X-API-Key: $API_KEY\"");
    format!(
        "<header class=\"intro\"><h1>{}</h1><p class=\"lead\">{}</p><p class=\"facts\"><code>{base}</code> \
         <span>version {}</span> <a href=\"openapi.json\">OpenAPI 3.1 document</a></p>\
         <div class=\"about\">{}</div></header>\
         <section class=\"start\" id=\"start\"><header><h2>First image</h2></header><div class=\"columns\"><div><ol>\
         <li>Set <code>API_KEY</code> to your key.</li>\
         <li>Send content and name the formats. The response is 202 with the generation’s <code>id</code>.</li>\
         <li>Set <code>ID</code> to it, and poll the generation until its <code>status</code> is final. \
         <code>outputs</code> contains the URLs of the images.</li></ol></div><div class=\"panels\">{}{}</div></div></section>",
        escaped(title),
        inline(lead),
        escaped(root.at("#/info/version").text()),
        paragraphs(rest),
        panel("Create a generation", &create),
        panel("Read it", &read),
        base = escaped(base),
    )
}

/// Renders the section on deliveries, with programs that verify them.
pub fn deliveries<'a>(root: &'a Json, fields: &Fields<'a>) -> String {
    let webhooks = root.get("webhooks").members();
    let Some((_, first)) = webhooks.first() else { return String::new() };
    let post = first.get("post");
    let mut html = format!(
        "<article id=\"deliveries\"><h3><a href=\"#deliveries\">Receive deliveries</a></h3><div class=\"columns\"><div>{}\
         <h4>Events</h4><dl class=\"answers\">",
        paragraphs(DELIVERIES),
    );
    for (name, item) in webhooks {
        let about = inline(item.at("#/post/description").text());
        let _ = write!(html, "<dt><code>{}</code></dt><dd><p>{about}</p></dd>", escaped(name));
    }
    html += "</dl><h4>Headers</h4><dl class=\"fields\">";
    for header in post.get("parameters").items() {
        html += &parameter(header, fields);
    }
    let body = post.at("#/requestBody/content/application~1json/schema");
    let _ = write!(html, "</dl><h4>Body</h4>{}</div><div class=\"panels\">", fields.list(body));
    html += &panel("Body of a delivery", &example::pretty(&example::of(body, root)));
    for (language, program) in RECEIVERS {
        html += &panel(&format!("Receiver in {language}"), program.trim_end());
    }
    html + "</div></div></article>"
}
