/**
 * Tests of promises that the tour through the networks cannot cover: limits, rules, flow steps, error types,
 * states. Reviewed by hand; renaming or removing a test makes its rows gaps.
 */
import { NODE_CLAIMS } from './kdfClaims.ts';
import type { DocumentName } from './rows.ts';

/** Tests by row id, each as the file's path from the project's root and the title. */
export type Claims = Readonly<Record<string, readonly string[]>>;

const DAEMON_CLAIMS: Claims = {
	'rule/What the service does/1': [
		'tests/integration/devnet/tokens.test.ts › it is created, listed, transferred in part, and the rest comes back as change'
	],
	'rule/What the service does/2': [
		'tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi',
		'tests/integration/devnet/routes.test.ts › five notaries of the destination approve a burn, four are not enough',
		'tests/integration/devnet/routes.test.ts › creates coins on the chain of the issuing key, even before its source is mined'
	],
	'rule/What the service does/3': [
		'tests/integration/devnet/registry.test.ts › every answer fits the registry'
	],
	'rule/What the service does/4': [
		'tests/integration/transactions/tokens.test.ts › a fungible token is reviewed, sent, waits, and is mined'
	],
	'envelope/Request and response envelope/jsonrpc': [
		'tests/integration/devnet/http.test.ts › answers one line in the order result, error, id and without jsonrpc'
	],
	'envelope/Request and response envelope/id': [
		'tests/integration/devnet/http.test.ts › every id comes back as it was sent'
	],
	'envelope/Request and response envelope/method': [
		'tests/integration/devnet/http.test.ts › malformed requests get the status of their code'
	],
	'envelope/Request and response envelope/params': [
		'tests/integration/devnet/http.test.ts › parameters are strict about the kind of JSON value'
	],
	'envelope/Request and response envelope/result': [
		'tests/integration/devnet/http.test.ts › answers one line in the order result, error, id and without jsonrpc'
	],
	'envelope/Request and response envelope/error': [
		'tests/integration/devnet/http.test.ts › answers one line in the order result, error, id and without jsonrpc'
	],
	'envelope/Request and response envelope/id (response)': [
		'tests/integration/devnet/http.test.ts › every id comes back as it was sent'
	],
	'envelope/Request and response envelope/Token methods': [
		'tests/integration/devnet/tokens.test.ts › each method about it begins its object with the result success'
	],
	'setting/Chain startup parameters referenced by the interface/ac_name': [
		'tests/integration/migration/wrongDaemon.test.ts › is sent neither a burn nor an import; with the right one back the coins arrive'
	],
	'setting/Chain startup parameters referenced by the interface/ac_cc': [
		'tests/integration/migration/guards.test.ts › a chain with another id is refused',
		'src/devnet/ledger/ledger.test.ts › know no crypto-conditions where ac_cc is 0'
	],
	'setting/Chain startup parameters referenced by the interface/ac_import=PUBKEY': [
		'src/devnet/ledger/cross-chain/selfImport.test.ts › is refused on chains without ac_import=PUBKEY'
	],
	'setting/Chain startup parameters referenced by the interface/ac_pubkey': [
		'src/devnet/ledger/cross-chain/selfImport.test.ts › is refused to another key than the issuing one'
	],
	'setting/Chain startup parameters referenced by the interface/ac_supply, ac_reward': [
		'src/devnet/ledger/ledger.test.ts › pay the premine once, the reward always, and the fees of their transactions'
	],
	'setting/Chain startup parameters referenced by the interface/pubkey': [
		'tests/integration/transactions/refusals.test.ts › works with another key when it is to send'
	],
	'setting/Chain startup parameters referenced by the interface/addnode': [
		'tests/integration/devnet/mining.test.ts › all daemons of a chain see the same blocks'
	],
	'setting/Migration objects/burn transaction': [
		'src/lib/chain/explain.test.ts › a burn: how much leaves, from where, to where'
	],
	'setting/Migration objects/payouts': [
		'src/lib/chain/vectors.test.ts › the payouts hash to what the burn says and serialize back'
	],
	'setting/Migration objects/import transaction': [
		'src/lib/chain/explain.test.ts › an import: its burn is opened, its root is named'
	],
	'setting/Migration objects/notary approval transaction': [
		'src/lib/chain/approval.test.ts › a recorded one names its burn, and its hashes lead to the root of its block'
	],
	'setting/Migration objects/proof (TxOutProof)': [
		'src/lib/chain/vectors.test.ts › the proof of gettxoutproof proves the burn in its block'
	],
	'setting/Migration objects/MoM': [
		'src/lib/chain/vectors.test.ts › the first-stage import leads to the MoM'
	],
	'setting/Migration objects/MoMoM': [
		'src/lib/chain/vectors.test.ts › the completed import leads to the MoMoM, and its index continues the first one'
	],
	'rule/tokencreate/1': [
		'tests/integration/devnet/tokens.test.ts › a non-fungible token keeps its data and moves as a whole'
	],
	'rule/tokencreate/2': [
		'tests/integration/transactions/tokens.test.ts › decimals are kept for each token of each chain'
	],
	'rule/tokencreate/result': [
		'tests/integration/devnet/tokens.test.ts › it is created, listed, transferred in part, and the rest comes back as change'
	],
	'rule/tokentransfer/result': [
		'src/devnet/ledger/tokens.test.ts › moves to another key with change, and back',
		'src/devnet/ledger/tokens.test.ts › can go to the burn key, where it stays'
	],
	'rule/migrate_createburntransaction/result': [
		'tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi'
	],
	'rule/decoderawtransaction/result/vout.valueZat or valueSat': [
		'tests/contract/daemon.test.ts › every one fits the registry, and encoding what was decoded gives it back'
	],
	'rule/migrate_converttoexport/only': [
		'tests/integration/devnet/routes.test.ts › burns coins and no token, even when it moves one'
	],
	'rule/migrate_converttoexport/result': [
		'tests/integration/devnet/routes.test.ts › is funded, signed and burns what the payouts say'
	],
	'rule/selfimport/only': [
		'src/devnet/ledger/cross-chain/selfImport.test.ts › is refused on chains without ac_import=PUBKEY',
		'tests/integration/devnet/routes.test.ts › is refused on every other chain'
	],
	'rule/migrate_createimporttransaction/result': [
		'src/devnet/ledger/cross-chain/route.test.ts › waits for the burn to be mined, notarized and buried by one block',
		'tests/integration/devnet/routes.test.ts › five notaries of the destination approve a burn, four are not enough'
	],
	'rule/migrate_completeimporttransaction/result': [
		'src/devnet/ledger/cross-chain/route.test.ts › is completed on KMD only, once the destination was notarized after the source'
	],
	'flow/A/1': ['tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi'],
	'flow/A/2': [
		'tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi',
		'tests/integration/migration/faults.test.ts › a burn whose answer gets lost is looked up, not sent again'
	],
	'flow/A/3': [
		'tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi',
		'src/devnet/ledger/cross-chain/route.test.ts › waits for the burn to be mined, notarized and buried by one block'
	],
	'flow/A/4': ['tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi'],
	'flow/A/5': [
		'tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi',
		'tests/integration/migration/late.test.ts › still arrive: the proof is looked for where the burn was notarized, not at the tips'
	],
	'flow/A/6': [
		'tests/integration/migration/arrival.test.ts › %s coins arrive to the satoshi',
		'tests/integration/migration/faults.test.ts › an import whose answer gets lost is looked up, not sent again'
	],
	'rule/Authentication/1': [
		'tests/integration/devnet/http.test.ts › no password is refused at once, a wrong one after a quarter of a second',
		'src/lib/server/platform/config/config.test.ts › takes the cookie when the password is empty'
	],
	'rule/Authentication/2': [
		'src/lib/server/platform/config/config.test.ts › finds KMD, asset chains and further daemons of a chain'
	],
	'rule/Authentication/3': [
		'tests/e2e/permissions.spec.ts › every role calls exactly the methods of its role at the RPC API, whatever it shows',
		'tests/integration/devnet/routes.test.ts › is refused on every other chain'
	],
	'error/Errors/1': [
		'tests/integration/devnet/http.test.ts › answers one line in the order result, error, id and without jsonrpc'
	],
	'error/Errors/2': [
		'src/devnet/ledger/cross-chain/route.test.ts › before the MoMoM is known on the destination'
	],
	'limit/Token units per satoshi of native coin': [
		'tests/integration/devnet/limits.test.ts › a satoshi of the native coin makes one unit of a token'
	],
	'limit/Supply of a non-fungible token': [
		'tests/integration/transactions/tokens.test.ts › a non-fungible token is made, and moves as a whole'
	],
	'limit/CCid (ac_cc)': [
		'tests/integration/migration/guards.test.ts › KMD and a chain without an id take no part'
	],
	'limit/Token migration amount': [
		'tests/integration/devnet/limits.test.ts › of a non-fungible token its one unit migrates, and no other number'
	],
	'limit/Null-data output size': [
		'src/devnet/ledger/ledger.test.ts › stop empty lists, the same input twice, and scripts above 10001 bytes',
		'src/lib/server/cross-chain/migration/tokenSize.test.ts › warns of a burn above 30 percent of 10001 bytes',
		'tests/integration/migration/custom.test.ts › is refused when it leaves its import too little room'
	],
	'limit/Minimum notary approvals': [
		'src/devnet/ledger/cross-chain/approvals.test.ts › refuses four, four and a repeated one, four and a stranger, four and one unmined'
	],
	'limit/Self-import source transaction fee': [
		'tests/integration/devnet/limits.test.ts › the source of a self-import pays 10000 satoshi'
	],
	'limit/Default burn list length': [
		'tests/integration/devnet/limits.test.ts › the list of burns holds ten unless another number is asked for'
	],
	'limit/Default search depth': [
		'tests/integration/devnet/limits.test.ts › a notarization is searched 1440 blocks down unless told otherwise'
	],
	'flow/B': ['tests/e2e/routes.spec.ts › chosen outputs are burned for two recipients and arrive'],
	'flow/C/1': [
		'tests/e2e/notaryApprovals.spec.ts › a published burn is approved by three notaries here and two from outside, and arrives exactly'
	],
	'flow/C/2': [
		'tests/e2e/notaryApprovals.spec.ts › a published burn is approved by three notaries here and two from outside, and arrives exactly'
	],
	'flow/C/3': [
		'tests/e2e/notaryApprovals.spec.ts › a published burn is approved by three notaries here and two from outside, and arrives exactly'
	],
	'flow/D/1': [
		'tests/e2e/selfImport.spec.ts › the issuer finds the form on the chain, reviews both transactions, and the coins arrive'
	],
	'flow/D/2': [
		'tests/e2e/selfImport.spec.ts › the issuer finds the form on the chain, reviews both transactions, and the coins arrive'
	],
	'flow/D/3': [
		'tests/e2e/selfImport.spec.ts › the issuer finds the form on the chain, reviews both transactions, and the coins arrive'
	]
};

/** By document. */
export const CLAIMS: Readonly<Record<DocumentName, Claims>> = {
	daemon: DAEMON_CLAIMS,
	'trading-node': NODE_CLAIMS
};

/** Pages that offer the purpose of the method without calling it. */
export const OWN_PAGES: ReadonlyMap<string, string> = new Map([
	// Every transaction is decoded here, from its bytes.
	['decoderawtransaction', 'src/routes/decode/+page.server.ts'],
	['gettransaction', 'src/routes/chains/[chain]/tx/[txid]/+page.server.ts'],
	// The index contains the tokens without calling for the list.
	['tokenlist', 'src/routes/chains/[chain]/tokens/+page.server.ts']
]);
