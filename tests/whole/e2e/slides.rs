//! Slides of a carousel in another order, fewer and more of them, and their page numbers.

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Answer, Client, id};

const TEXT: &str =
    "# Sleep better\n\n- Keep one bedtime, also on Sundays\n- Cool the room to 18 °C\n- No screens in bed";

impl Client {
    async fn arrange(&self, of: &Value, slides: &[Value]) -> Answer {
        let path = format!("/api/images/{}/slides", id(of));
        let request = self.request("PUT", &path).json(&json!({ "slides": slides }));
        self.send(request).await.unwrap()
    }

    /// What the page of an output says of its place, such as "2 / 4".
    async fn counter(&self, of: &Value, output: &Value) -> Option<String> {
        let path = format!("/api/images/{}/outputs/{}/page", id(of), id(output));
        let page = self.get(&path).await.json()["page"].as_str().unwrap().to_owned();
        let after = page.split_once("id=\"counter\"")?.1;
        Some(after.split_once('>')?.1.split('<').next()?.to_owned())
    }
}

fn kept(output: &Value) -> Value {
    json!({"outputId": output["id"]})
}

#[tokio::test]
async fn slides_change_places_and_their_numbers_follow() {
    let (_data, service, client) = fresh(&UNHURRIED);
    let made = client
        .completed(&json!({
            "inputType": "text", "inputContent": TEXT, "seed": 7,
            "outputFormats": ["linkedin_carousel"], "carouselCounts": {"linkedin_carousel": 4},
        }))
        .await;
    let first: Vec<Value> = made["outputs"].as_array().unwrap().clone();
    let balance = client.get("/api/credits/balance").await.json()["balance"].as_u64().unwrap();
    assert_eq!(client.counter(&made, &first[2]).await.as_deref(), Some("3 / 4"));

    // A slide that was edited by hand says its number in its own text.
    let at = format!("/api/images/{}/outputs/{}/page", id(&made), id(&first[2]));
    let page = client.get(&at).await.json()["page"].as_str().unwrap().replacen("</headline>", "!</headline>", 1);
    let put = client.send(client.request("PUT", &at).json(&json!({ "page": page }))).await.unwrap();
    assert_eq!(put.status, 200, "{:#}", put.json());

    let order = [kept(&first[0]), kept(&first[2]), kept(&first[1]), json!({"copyOf": first[1]["id"]}), kept(&first[3])];
    let arranged = client.arrange(&made, &order).await;
    let answer = arranged.json();
    assert_eq!((arranged.status, &answer["creditsCharged"]), (200, &json!(15)), "{answer:#}");
    let generation = &answer["generation"];
    assert_eq!(
        (&generation["status"], &generation["carouselCounts"]["linkedin_carousel"]),
        (&json!("completed"), &json!(5))
    );
    let shown = generation["outputs"].as_array().unwrap();
    let counters = [
        client.counter(&made, &shown[1]).await,
        client.counter(&made, &shown[2]).await,
        client.counter(&made, &shown[3]).await,
    ];
    assert_eq!(counters.map(Option::unwrap), ["2 / 5", "3 / 5", "4 / 5"]);
    assert_eq!((&shown[1]["id"], &shown[2]["id"]), (&first[2]["id"], &first[1]["id"]));
    assert_eq!(shown[3]["altText"], shown[2]["altText"], "a copy says the same");
    assert_ne!(shown[3]["imageUrl"], shown[2]["imageUrl"]);
    let image = client.get(shown[3]["imageUrl"].as_str().unwrap()).await;
    assert_eq!((image.status, image.header("content-type")), (200, "image/png"));

    // Without its copy, in the first order: as it was, and nothing is charged.
    let order: Vec<Value> = first.iter().map(kept).collect();
    let back = client.arrange(&made, &order).await.json();
    assert_eq!((&back["creditsCharged"], &back["generation"]["outputCount"]), (&json!(0), &json!(4)));
    assert_eq!(back["generation"]["removedOutputs"].as_array().unwrap().len(), 1);
    for (n, output) in back["generation"]["outputs"].as_array().unwrap().iter().enumerate() {
        assert_eq!(output["id"], first[n]["id"]);
        let counter = client.counter(&made, output).await;
        assert!(counter.is_none_or(|said| said == format!("{} / 4", n + 1)));
    }
    let now = client.get("/api/credits/balance").await.json()["balance"].as_u64().unwrap();
    assert_eq!(now, balance - 15, "one copy; the correction by hand is free");

    // What is made from it has its slides as they stand.
    let swapped = client.arrange(&made, &[kept(&first[0]), kept(&first[3]), kept(&first[1])]).await;
    assert_eq!(swapped.status, 200);
    let more = client.post(&format!("/api/generations/{}/variations", id(&made)), &json!({"count": 1})).await.json();
    let more = client.finished(id(&more["generation"])).await;
    assert_eq!(
        (&more["status"], &more["carouselCounts"]["linkedin_carousel"]),
        (&json!("completed"), &json!(3)),
        "{more:#}"
    );
    assert!(service.stop().success());
}
