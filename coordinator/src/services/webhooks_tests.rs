//! Tests signatures against external test vectors, and the limits on concurrent deliveries.

use super::*;

fn due(delivery: u128, account: u128, receiver: u64) -> Due {
    Due::known(Uuid::from_u128(delivery), Uuid::from_u128(account), receiver)
}

#[test]
fn signatures_are_as_others_compute_them() {
    let secret = WebhookSecret::known("whsec_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg");
    let body = br#"{"id":"0192a0c4-0000-7000-8000-000000000000"}"#;
    // Python: hmac.new(secret, b"1700000000." + body, hashlib.sha256).hexdigest(); milliseconds are dropped.
    let wanted = "t=1700000000,v1=58f4119753532b727ca2596ba8c0e4bdef63a489e7f13d9959011b7a6e7bfdc5";
    let at = Millis(1_700_000_000_999);
    let other = WebhookSecret::known("whsec_");
    let one = |secret: &WebhookSecret, at| signature(std::slice::from_ref(secret), at, body);
    assert_eq!(one(&secret, at), wanted);
    assert_ne!(one(&secret, Millis(1_700_000_001_000)), wanted);
    assert_ne!(one(&other, at), wanted);
    let second = one(&other, at).split_once(',').unwrap().1.to_owned();
    assert_eq!(signature(&[secret, other], at, body), format!("{wanted},{second}"));
}

#[test]
fn a_delivery_is_under_way_once() {
    let places = Places::default();
    let place = places.take(&due(1, 1, 1)).unwrap();
    assert!(places.take(&due(1, 1, 1)).is_none());
    drop(place);
    assert!(places.take(&due(1, 1, 1)).is_some());
}

#[test]
fn nobody_takes_every_place() {
    let places = Places::default();
    let taken = |dues: &mut dyn Iterator<Item = Due>| dues.filter_map(|due| places.take(&due)).collect::<Vec<_>>();
    // One account and one receiver; many accounts and one receiver; one account and many receivers.
    let lane = taken(&mut (0..100).map(|n| due(n, 1, 1)));
    assert_eq!(lane.len(), PLACES_LANE);
    let receiver = taken(&mut (100..200).map(|n| due(n, n, 1)));
    assert_eq!(lane.len() + receiver.len(), PLACES_RECEIVER);
    let account = taken(&mut (200..300).map(|n| due(n, 1, n as u64)));
    assert_eq!(lane.len() + account.len(), PLACES_ACCOUNT);
    let all = taken(&mut (1_000..2_000).map(|n| due(n, n, n as u64)));
    assert_eq!(lane.len() + receiver.len() + account.len() + all.len(), PLACES);
    drop((lane, receiver, account, all));
    let left = places.0.lock();
    assert!(left.deliveries.is_empty() && left.accounts.is_empty() && left.receivers.is_empty());
    assert!(left.lanes.is_empty());
}

#[test]
fn answers_are_told_apart() {
    let came = |answer| {
        let came = Came::of(answer);
        (came.reception, came.status, came.outcome)
    };
    for status in [200, 201, 204, 299] {
        assert_eq!(came(Ok(status)), (Reception::Taken, Some(status), "delivered"));
    }
    for status in [100, 199, 300, 301, 308, 400, 404, 409, 411, 429, 500, 599] {
        assert_eq!(came(Ok(status)), (Reception::Missed, Some(status), "status"));
    }
    assert_eq!(came(Ok(410)), (Reception::Gone, Some(410), "gone"));
    assert_eq!(came(Err(FetchError::TimedOut)), (Reception::Missed, None, "unanswered"));
    let refusal = fleet::net::Refusal::ResolvesTo("a.example".into());
    let refused = Came::of(Err(refusal.into()));
    assert_eq!((refused.reception, refused.outcome), (Reception::Missed, "refused"));
    assert_eq!(refused.error.as_deref(), Some("a.example leads to an address that is not public"));
}
