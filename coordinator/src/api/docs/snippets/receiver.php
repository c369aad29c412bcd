<?php
// Try it with: php -S localhost:8080 receiver.php
const SECRET = 'whsec_YOUR_SECRET';

function is_genuine(string $signature, string $body): bool
{
    $sent = preg_match('/(?:^|,)t=(\d+)(?:,|$)/', $signature, $found) ? $found[1] : '';
    if ($sent === '' || abs(time() - (int) $sent) > 300) {
        return false;
    }
    $wanted = hash_hmac('sha256', "$sent.$body", SECRET);
    preg_match_all('/(?:^|,)v1=([0-9a-f]+)(?=,|$)/', $signature, $found);
    return in_array(true, array_map(fn ($v1) => hash_equals($wanted, $v1), $found[1]), true);
}

$body = file_get_contents('php://input');
$signature = $_SERVER['HTTP_X_VIVID_SIGNATURE'] ?? '';
http_response_code(is_genuine($signature, $body) ? 204 : 401);
