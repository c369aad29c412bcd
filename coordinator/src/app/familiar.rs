//! Recognizes browsers that a member has logged in with before. They carry a cookie, and their password attempts are
//! not counted with those of unknown clients (see [`crate::throttle`]). The cookie does not authenticate anyone.

use axum::http::{HeaderMap, HeaderValue, header};
use hmac::Mac;

use super::Console;
use super::console::{HmacSha256, hmac};

/// Seconds for which a browser is remembered: the longest lifetime that browsers allow for cookies.
const AGE_S: u32 = 400 * 86_400;
/// Bytes in a browser's id.
const ID: usize = 16;

impl Console {
    /// Returns the id of the browser that sent these headers, if `member` has logged in with it before. `member` is
    /// half of a digest that [`counted_as`](crate::emails::counted_as) computes.
    pub fn familiar(&self, headers: &HeaderMap, member: [u8; 16]) -> Option<[u8; ID]> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let ours = pairs.filter(|(name, _)| *name == self.familiar_name()).map(|(_, value)| value);
        // A browser sends one or two cookies of this name. The limit bounds the work that an attacker can cause.
        ours.take(2).find_map(|value| {
            let (id, mac) = value.split_once('.')?;
            let mut bytes = [0; ID];
            hex::decode_to_slice(id, &mut bytes).ok()?;
            self.familiar_mac(member, bytes).verify_slice(&hex::decode(mac).ok()?).ok()?;
            Some(bytes)
        })
    }

    /// Builds the cookie that marks a browser as one that `member` has logged in with. `None` if the system provides no
    /// random bytes.
    pub fn familiar_cookie(&self, member: [u8; 16]) -> Option<HeaderValue> {
        let mut id = [0; ID];
        getrandom::fill(&mut id).ok()?;
        let mac = self.familiar_mac(member, id).finalize().into_bytes();
        let (name, secure) = (self.familiar_name(), if self.secure { "; Secure" } else { "" });
        let (id, mac) = (hex::encode(id), hex::encode(mac));
        let cookie = format!("{name}={id}.{mac}; Path=/; Max-Age={AGE_S}; HttpOnly; SameSite=Strict{secure}");
        let mut cookie = HeaderValue::from_str(&cookie).ok()?;
        cookie.set_sensitive(true);
        Some(cookie)
    }

    fn familiar_name(&self) -> &'static str {
        if self.secure { "__Host-vivid-browser" } else { "vivid-browser" }
    }

    fn familiar_mac(&self, member: [u8; 16], id: [u8; ID]) -> HmacSha256 {
        let mut mac = hmac(&self.familiar_key);
        mac.update(&member);
        mac.update(&id);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: [u8; 16] = [1; 16];

    fn sent_back(cookie: &HeaderValue) -> HeaderMap {
        let pair = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::try_from(format!("other=1; {pair}")).unwrap())])
    }

    #[test]
    fn a_browser_is_known_to_its_member_alone() {
        let console = Console::new("http://h", true, &[7; 32]);
        let cookie = console.familiar_cookie(ANN).unwrap();
        let headers = sent_back(&cookie);
        let id = console.familiar(&headers, ANN).unwrap();
        assert_ne!(Some(id), console.familiar(&sent_back(&console.familiar_cookie(ANN).unwrap()), ANN));
        assert_eq!(console.familiar(&headers, [2; 16]), None, "another member");
        assert_eq!(Console::new("http://h", true, &[8; 32]).familiar(&headers, ANN), None, "another service");
        assert_eq!(console.familiar(&HeaderMap::new(), ANN), None);
        for forged in ["", ".", "00.00", &format!("{}.{}", "00".repeat(16), "00".repeat(32))] {
            let pair = format!("vivid-browser={forged}");
            let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::try_from(pair).unwrap())]);
            assert_eq!(console.familiar(&headers, ANN), None, "{forged}");
        }
        assert!(cookie.is_sensitive() && cookie.to_str().unwrap().contains("; HttpOnly; SameSite=Strict"));
        let https = Console::new("https://h", true, &[7; 32]).familiar_cookie(ANN).unwrap();
        assert!(
            https.to_str().unwrap().starts_with("__Host-vivid-browser=")
                && https.to_str().unwrap().ends_with("; Secure")
        );
    }
}
