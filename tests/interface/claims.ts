/**
 * Which files of tests show what only a test can show: limits, rules, flow steps, error types, states. Reviewed by
 * hand; a file that is renamed or removed makes its rows gaps.
 */
import { NODE_CLAIMS } from './kdfClaims.ts';
import type { DocumentName } from './rows.ts';

/** Files from the project's root, by row id. */
export type Claims = Readonly<Record<string, readonly string[]>>;

const DAEMON_CLAIMS: Claims = {
	'rule/What the service does/1': [
		'tests/integration/transactions/tokens.test.ts',
		'tests/integration/devnet/tokens.test.ts'
	],
	'rule/What the service does/2': [
		'tests/integration/migration/arrival.test.ts',
		'tests/integration/devnet/routes.test.ts'
	],
	'rule/What the service does/3': ['tests/integration/devnet/registry.test.ts'],
	'rule/What the service does/4': ['tests/integration/transactions/tokens.test.ts'],
	'envelope/Request and response envelope/jsonrpc': ['tests/integration/devnet/http.test.ts'],
	'envelope/Request and response envelope/id': [
		'tests/integration/devnet/http.test.ts',
		'tests/faults/rpcApi.test.ts'
	],
	'envelope/Request and response envelope/method': ['tests/integration/devnet/http.test.ts'],
	'envelope/Request and response envelope/params': ['tests/integration/devnet/http.test.ts'],
	'envelope/Request and response envelope/result': ['tests/integration/devnet/http.test.ts'],
	'envelope/Request and response envelope/error': ['tests/faults/rpcApi.test.ts'],
	'envelope/Request and response envelope/id (response)': ['tests/integration/devnet/http.test.ts'],
	'setting/Chain startup parameters referenced by the interface/ac_name': [
		'tests/integration/migration/wrongDaemon.test.ts'
	],
	'setting/Chain startup parameters referenced by the interface/ac_cc': [
		'tests/integration/migration/guards.test.ts'
	],
	'setting/Chain startup parameters referenced by the interface/ac_import=PUBKEY': [
		'src/devnet/ledger/cross-chain/selfImport.test.ts'
	],
	'setting/Chain startup parameters referenced by the interface/ac_pubkey': [
		'src/devnet/ledger/cross-chain/selfImport.test.ts'
	],
	'setting/Chain startup parameters referenced by the interface/ac_supply, ac_reward': [
		'src/devnet/ledger/ledger.test.ts'
	],
	'setting/Chain startup parameters referenced by the interface/pubkey': [
		'tests/integration/transactions/refusals.test.ts'
	],
	'setting/Chain startup parameters referenced by the interface/addnode': [
		'tests/integration/devnet/mining.test.ts'
	],
	'setting/Migration objects/burn transaction': ['src/lib/chain/explain.test.ts'],
	'setting/Migration objects/payouts': ['src/lib/chain/vectors.test.ts'],
	'setting/Migration objects/import transaction': ['src/lib/chain/explain.test.ts'],
	'setting/Migration objects/notary approval transaction': [
		'src/lib/chain/approval.test.ts',
		'src/lib/chain/explain.test.ts'
	],
	'setting/Migration objects/proof (TxOutProof)': ['src/lib/chain/vectors.test.ts'],
	'setting/Migration objects/MoM': ['src/lib/chain/vectors.test.ts'],
	'setting/Migration objects/MoMoM': ['src/lib/chain/vectors.test.ts'],
	'rule/tokencreate/1': [
		'tests/integration/devnet/tokens.test.ts',
		'tests/integration/transactions/tokens.test.ts'
	],
	'rule/tokencreate/2': ['tests/integration/transactions/tokens.test.ts'],
	'rule/tokentransfer/result': [
		'src/devnet/ledger/tokens.test.ts',
		'tests/integration/transactions/tokens.test.ts'
	],
	'rule/migrate_createburntransaction/result': ['tests/integration/migration/arrival.test.ts'],
	'rule/migrate_converttoexport/result': ['tests/integration/devnet/routes.test.ts'],
	'rule/migrate_createimporttransaction/result': [
		'tests/integration/devnet/routes.test.ts',
		'src/devnet/ledger/cross-chain/route.test.ts'
	],
	'rule/migrate_completeimporttransaction/result': ['src/devnet/ledger/cross-chain/route.test.ts'],
	'flow/A/1': ['tests/integration/migration/arrival.test.ts', 'tests/e2e/story.spec.ts'],
	'flow/A/2': [
		'tests/integration/migration/arrival.test.ts',
		'tests/integration/migration/faults.test.ts'
	],
	'flow/A/3': [
		'tests/integration/migration/arrival.test.ts',
		'tests/integration/devnet/migration.test.ts'
	],
	'flow/A/4': [
		'tests/integration/migration/arrival.test.ts',
		'tests/integration/migration/faults.test.ts'
	],
	'flow/A/5': [
		'tests/integration/migration/arrival.test.ts',
		'tests/integration/migration/late.test.ts'
	],
	'flow/A/6': [
		'tests/integration/migration/arrival.test.ts',
		'tests/integration/migration/faults.test.ts'
	],
	'rule/Authentication/1': [
		'tests/integration/devnet/http.test.ts',
		'src/lib/server/platform/config/config.test.ts'
	],
	'rule/Authentication/2': ['src/lib/server/platform/config/config.test.ts'],
	'rule/Authentication/3': [
		'tests/e2e/permissions.spec.ts',
		'tests/integration/devnet/routes.test.ts'
	],
	'error/Errors/1': ['tests/integration/devnet/http.test.ts'],
	'error/Errors/2': [
		'src/devnet/ledger/cross-chain/route.test.ts',
		'tests/integration/devnet/migration.test.ts'
	],
	'limit/Token units per satoshi of native coin': ['tests/integration/devnet/limits.test.ts'],
	'limit/Supply of a non-fungible token': [
		'tests/integration/devnet/limits.test.ts',
		'tests/integration/devnet/tokens.test.ts'
	],
	'limit/CCid (ac_cc)': ['tests/integration/migration/guards.test.ts'],
	'limit/Token migration amount': ['tests/integration/devnet/limits.test.ts'],
	'limit/Null-data output size': ['src/devnet/ledger/ledger.test.ts'],
	'limit/Minimum notary approvals': [
		'tests/integration/devnet/routes.test.ts',
		'src/devnet/ledger/cross-chain/approvals.test.ts'
	],
	'limit/Self-import source transaction fee': ['tests/integration/devnet/limits.test.ts'],
	'limit/Default burn list length': ['tests/integration/devnet/limits.test.ts'],
	'limit/Default search depth': ['tests/integration/devnet/limits.test.ts'],
	'flow/B': ['tests/e2e/routes.spec.ts'],
	'flow/C/1': ['tests/e2e/notaryApprovals.spec.ts'],
	'flow/C/2': ['tests/e2e/notaryApprovals.spec.ts'],
	'flow/C/3': ['tests/e2e/notaryApprovals.spec.ts'],
	'flow/D/1': ['tests/e2e/selfImport.spec.ts'],
	'flow/D/2': ['tests/e2e/selfImport.spec.ts'],
	'flow/D/3': ['tests/e2e/selfImport.spec.ts']
};

/** By document. */
export const CLAIMS: Readonly<Record<DocumentName, Claims>> = {
	daemon: DAEMON_CLAIMS,
	'trading-node': NODE_CLAIMS
};

/** Pages that answer by themselves what the method is there for. */
export const OWN_PAGES: ReadonlyMap<string, string> = new Map([
	// Every transaction is decoded here, from its bytes.
	['decoderawtransaction', 'src/routes/decode/+page.server.ts'],
	['gettransaction', 'src/routes/chains/[chain]/tx/[txid]/+page.server.ts'],
	// The index knows the tokens without asking for the list.
	['tokenlist', 'src/routes/chains/[chain]/tokens/+page.server.ts']
]);
