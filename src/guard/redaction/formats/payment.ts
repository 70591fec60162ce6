import { atLeast, exact, type Format } from "./format.ts";

export const paymentFormats: readonly Format[] = [
  atLeast("stripe-key", ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"], "[A-Za-z0-9]{14}"),
  atLeast("webhook-secret", "whsec_", "[A-Za-z0-9+/=]{24}", "token"),
  atLeast("square-token", ["sq0atp-", "sq0csp-", "sq0idp-"], "[\\w-]{22}"),
  exact("square-token", "EAAA", "(?<![+/]EAAA)[\\w-]{60}"),
  atLeast("paypal-token", ["access_token$production$", "access_token$sandbox$"], "[a-z0-9]{16}\\$[a-f0-9]{32}"),
  atLeast("plaid-token", ["access-sandbox-", "access-development-", "access-production-"], "[a-f0-9]{8}-[a-f0-9-]{27}"),
  atLeast("razorpay-key", ["rzp_live_", "rzp_test_"], "[A-Za-z0-9]{14}"),
  atLeast("flutterwave-key", ["FLWSECK_TEST-", "FLWSECK-"], "[A-Za-z0-9]{12}"),
  exact("gocardless-token", ["live_", "sandbox_"], "[\\w-]{40}"),
  exact("mollie-key", ["live_", "test_"], "(?=[A-Za-z]{0,29}\\d)[A-Za-z0-9]{30,36}"),
  atLeast("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], "[a-fA-F0-9]{32}"),
  atLeast("easypost-key", ["EZAK", "EZTK"], "[A-Za-z0-9]{54}"),
  atLeast("duffel-token", ["duffel_test_", "duffel_live_"], "[\\w=-]{40}"),
  atLeast("shippo-token", ["shippo_live_", "shippo_test_"], "[a-f0-9]{40}"),
  atLeast("stytch-secret", ["secret-live-", "secret-test-"], "[\\w=-]{36}"),
  atLeast("chargebee-key", ["live_cb_", "test_cb_"], "[A-Za-z0-9]{24}"),
  atLeast("coinbase-key", "cbk_", "[A-Za-z0-9]{24}"),
  atLeast("ubidots-token", "BBFF-", "[A-Za-z0-9]{30}"),
];
