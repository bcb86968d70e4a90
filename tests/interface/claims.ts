/**
 * Which tests show what only a test can show: limits, rules, flow steps, error types, states. Reviewed by
 * hand; a test that is renamed or removed makes its row a gap.
 */
import { NODE_CLAIMS } from './nodeClaims.ts';

export interface Claim {
	/** From the project's root. */
	file: string;
	/** Words of the test's title. */
	test: string;
}

/** By `document: row id`. */
export const CLAIMS: ReadonlyMap<string, readonly Claim[]> = new Map<string, readonly Claim[]>([
	...NODE_CLAIMS,
	[
		'daemon: rule/What the service does/1',
		[
			{
				file: 'tests/integration/sending/tokens.test.ts',
				test: 'a fungible token is reviewed, sent, waits, and is mined'
			},
			{
				file: 'tests/integration/devnet/tokens.test.ts',
				test: 'it is created, listed, transferred in part'
			}
		]
	],
	[
		'daemon: rule/What the service does/2',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			},
			{
				file: 'tests/integration/devnet/routes.test.ts',
				test: 'five notaries of the destination approve a burn'
			},
			{
				file: 'tests/integration/devnet/routes.test.ts',
				test: 'creates coins on the chain of the issuing key'
			}
		]
	],
	[
		'daemon: rule/What the service does/3',
		[{ file: 'tests/integration/devnet/registry.test.ts', test: 'every answer fits the registry' }]
	],
	[
		'daemon: rule/What the service does/4',
		[
			{
				file: 'tests/integration/sending/tokens.test.ts',
				test: 'a fungible token is reviewed, sent, waits, and is mined'
			}
		]
	],
	[
		'daemon: envelope/Request and response envelope/jsonrpc',
		[
			{
				file: 'tests/integration/devnet/http.test.ts',
				test: 'answers one line in the order result, error, id and without jsonrpc'
			}
		]
	],
	[
		'daemon: envelope/Request and response envelope/id',
		[
			{ file: 'tests/integration/devnet/http.test.ts', test: 'every id comes back as it was sent' },
			{
				file: 'tests/faults/door.test.ts',
				test: 'keeps every byte of a small answer and of the caller’s id'
			}
		]
	],
	[
		'daemon: envelope/Request and response envelope/method',
		[
			{
				file: 'tests/integration/devnet/http.test.ts',
				test: 'malformed requests get the status of their code'
			}
		]
	],
	[
		'daemon: envelope/Request and response envelope/params',
		[
			{
				file: 'tests/integration/devnet/http.test.ts',
				test: 'a wrong number of parameters is answered with the help text'
			},
			{
				file: 'tests/integration/devnet/http.test.ts',
				test: 'parameters are strict about the kind of JSON value'
			}
		]
	],
	[
		'daemon: envelope/Request and response envelope/result',
		[
			{
				file: 'tests/integration/devnet/http.test.ts',
				test: 'answers one line in the order result, error, id and without jsonrpc'
			}
		]
	],
	[
		'daemon: envelope/Request and response envelope/error',
		[{ file: 'tests/faults/door.test.ts', test: 'hands on the daemon’s errors with their status' }]
	],
	[
		'daemon: envelope/Request and response envelope/id (response)',
		[{ file: 'tests/integration/devnet/http.test.ts', test: 'every id comes back as it was sent' }]
	],
	[
		'daemon: setting/Chain startup parameters referenced by the interface/ac_name',
		[
			{
				file: 'tests/integration/migration/wrongDaemon.test.ts',
				test: 'is sent neither a burn nor an import'
			}
		]
	],
	[
		'daemon: setting/Chain startup parameters referenced by the interface/ac_cc',
		[
			{
				file: 'tests/integration/migration/guards.test.ts',
				test: 'a chain with another id is refused'
			},
			{
				file: 'tests/integration/migration/guards.test.ts',
				test: 'KMD and a chain without an id take no part'
			}
		]
	],
	[
		'daemon: setting/Chain startup parameters referenced by the interface/ac_import=PUBKEY',
		[
			{
				file: 'src/devnet/ledger/cross-chain/selfImport.test.ts',
				test: 'is refused on chains without ac_import=PUBKEY'
			}
		]
	],
	[
		'daemon: setting/Chain startup parameters referenced by the interface/ac_pubkey',
		[
			{
				file: 'src/devnet/ledger/cross-chain/selfImport.test.ts',
				test: 'is refused to another key than the issuing one'
			}
		]
	],
	[
		'daemon: setting/Chain startup parameters referenced by the interface/ac_supply, ac_reward',
		[{ file: 'src/devnet/ledger/ledger.test.ts', test: 'pay the premine once, the reward always' }]
	],
	[
		'daemon: setting/Chain startup parameters referenced by the interface/pubkey',
		[
			{
				file: 'tests/integration/sending/refusals.test.ts',
				test: 'works with another key when it is to send'
			}
		]
	],
	[
		'daemon: setting/Chain startup parameters referenced by the interface/addnode',
		[
			{
				file: 'tests/integration/devnet/mining.test.ts',
				test: 'all daemons of a chain see the same blocks'
			}
		]
	],
	[
		'daemon: setting/Migration objects/burn transaction',
		[
			{
				file: 'src/lib/chain/explain.test.ts',
				test: 'a burn: how much leaves, from where, to where'
			}
		]
	],
	[
		'daemon: setting/Migration objects/payouts',
		[
			{
				file: 'src/lib/chain/vectors.test.ts',
				test: 'the payouts hash to what the burn says and serialize back'
			}
		]
	],
	[
		'daemon: setting/Migration objects/import transaction',
		[
			{
				file: 'src/lib/chain/explain.test.ts',
				test: 'an import: its burn is opened, its root is named'
			}
		]
	],
	[
		'daemon: setting/Migration objects/notary approval transaction',
		[
			{ file: 'src/lib/chain/approval.test.ts', test: 'a recorded one names its burn' },
			{
				file: 'src/lib/chain/explain.test.ts',
				test: 'a notary approval holds a proof that is opened, too'
			}
		]
	],
	[
		'daemon: setting/Migration objects/proof (TxOutProof)',
		[
			{
				file: 'src/lib/chain/vectors.test.ts',
				test: 'the proof of gettxoutproof proves the burn in its block'
			}
		]
	],
	[
		'daemon: setting/Migration objects/MoM',
		[{ file: 'src/lib/chain/vectors.test.ts', test: 'the first-stage import leads to the MoM' }]
	],
	[
		'daemon: setting/Migration objects/MoMoM',
		[{ file: 'src/lib/chain/vectors.test.ts', test: 'twelve MoMs have their MoMoM' }]
	],
	[
		'daemon: rule/tokencreate/1',
		[
			{
				file: 'tests/integration/devnet/tokens.test.ts',
				test: 'a non-fungible token keeps its data and moves as a whole'
			},
			{
				file: 'tests/integration/sending/tokens.test.ts',
				test: 'a non-fungible token is made, and moves as a whole'
			}
		]
	],
	[
		'daemon: rule/tokencreate/2',
		[
			{
				file: 'tests/integration/sending/tokens.test.ts',
				test: 'decimals are kept for each token of each chain'
			}
		]
	],
	[
		'daemon: rule/tokentransfer/result',
		[
			{ file: 'src/devnet/ledger/tokens.test.ts', test: 'sums that do not fit' },
			{
				file: 'tests/integration/sending/tokens.test.ts',
				test: 'units go to a recipient, and the rest comes back'
			},
			{
				file: 'tests/integration/sending/tokens.test.ts',
				test: 'units that are burned are gone for everybody'
			}
		]
	],
	[
		'daemon: rule/migrate_createburntransaction/result',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			}
		]
	],
	[
		'daemon: rule/migrate_converttoexport/result',
		[
			{
				file: 'tests/integration/devnet/routes.test.ts',
				test: 'is funded, signed and burns what the payouts say'
			}
		]
	],
	[
		'daemon: rule/migrate_createimporttransaction/result',
		[
			{
				file: 'tests/integration/devnet/routes.test.ts',
				test: 'five notaries of the destination approve a burn'
			},
			{
				file: 'src/devnet/ledger/cross-chain/route.test.ts',
				test: 'waits for the burn to be mined, notarized and buried by one block'
			}
		]
	],
	[
		'daemon: rule/migrate_completeimporttransaction/result',
		[
			{
				file: 'src/devnet/ledger/cross-chain/route.test.ts',
				test: 'is completed on KMD only, once the destination was notarized after the source'
			}
		]
	],
	[
		'daemon: flow/A/1',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			},
			{ file: 'tests/e2e/story.spec.ts', test: '1.15 coins are carried from ALPHA to BETA' }
		]
	],
	[
		'daemon: flow/A/2',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			},
			{
				file: 'tests/integration/migration/faults.test.ts',
				test: 'a burn whose answer gets lost is looked up, not sent again'
			}
		]
	],
	[
		'daemon: flow/A/3',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			},
			{
				file: 'tests/integration/devnet/migration.test.ts',
				test: '1.15 coins arrive to the satoshi'
			}
		]
	],
	[
		'daemon: flow/A/4',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			},
			{
				file: 'tests/integration/migration/faults.test.ts',
				test: 'a burn that was made elsewhere is taken up by its txid and finished'
			}
		]
	],
	[
		'daemon: flow/A/5',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			},
			{
				file: 'tests/integration/migration/late.test.ts',
				test: 'still arrive: the proof is looked for where the burn was notarized'
			}
		]
	],
	[
		'daemon: flow/A/6',
		[
			{
				file: 'tests/integration/migration/arrival.test.ts',
				test: '%s coins arrive to the satoshi'
			},
			{
				file: 'tests/integration/migration/faults.test.ts',
				test: 'an import whose answer gets lost is looked up, not sent again'
			}
		]
	],
	[
		'daemon: rule/Authentication/1',
		[
			{
				file: 'tests/integration/devnet/http.test.ts',
				test: 'no password is refused at once, a wrong one after a quarter of a second'
			},
			{
				file: 'src/lib/server/platform/config/config.test.ts',
				test: 'finds KMD, asset chains and further daemons of a chain'
			}
		]
	],
	[
		'daemon: rule/Authentication/2',
		[
			{
				file: 'src/lib/server/platform/config/config.test.ts',
				test: 'finds KMD, asset chains and further daemons of a chain'
			}
		]
	],
	[
		'daemon: rule/Authentication/3',
		[
			{
				file: 'tests/e2e/permissions.spec.ts',
				test: 'every role calls exactly the methods of its role at the door'
			},
			{ file: 'tests/integration/devnet/routes.test.ts', test: 'is refused on every other chain' }
		]
	],
	[
		'daemon: error/Errors/1',
		[
			{
				file: 'tests/integration/devnet/http.test.ts',
				test: 'answers one line in the order result, error, id and without jsonrpc'
			}
		]
	],
	[
		'daemon: error/Errors/2',
		[
			{
				file: 'src/devnet/ledger/cross-chain/route.test.ts',
				test: 'is completed on KMD only, once the destination was notarized after the source'
			},
			{
				file: 'tests/integration/devnet/migration.test.ts',
				test: '1.15 coins arrive to the satoshi'
			}
		]
	],
	[
		'daemon: limit/Token units per satoshi of native coin',
		[
			{
				file: 'tests/integration/devnet/limits.test.ts',
				test: 'a satoshi of the native coin makes one unit of a token'
			}
		]
	],
	[
		'daemon: limit/Supply of a non-fungible token',
		[
			{
				file: 'tests/integration/devnet/limits.test.ts',
				test: 'of a non-fungible token its one unit migrates'
			},
			{
				file: 'tests/integration/devnet/tokens.test.ts',
				test: 'a non-fungible token keeps its data and moves as a whole'
			}
		]
	],
	[
		'daemon: limit/CCid (ac_cc)',
		[
			{
				file: 'tests/integration/migration/guards.test.ts',
				test: 'a chain with another id is refused'
			},
			{
				file: 'tests/integration/migration/guards.test.ts',
				test: 'KMD and a chain without an id take no part'
			}
		]
	],
	[
		'daemon: limit/Token migration amount',
		[
			{
				file: 'tests/integration/devnet/limits.test.ts',
				test: 'of a non-fungible token its one unit migrates'
			}
		]
	],
	[
		'daemon: limit/Null-data output size',
		[{ file: 'src/devnet/ledger/ledger.test.ts', test: 'scripts above 10001 bytes' }]
	],
	[
		'daemon: limit/Minimum notary approvals',
		[
			{
				file: 'tests/integration/devnet/routes.test.ts',
				test: 'five notaries of the destination approve a burn, four are not enough'
			},
			{
				file: 'src/devnet/ledger/cross-chain/approvals.test.ts',
				test: 'refuses four, four and a repeated one, four and a stranger, four and one unmined'
			}
		]
	],
	[
		'daemon: limit/Self-import source transaction fee',
		[
			{
				file: 'tests/integration/devnet/limits.test.ts',
				test: 'the source of a self-import pays 10000 satoshi'
			}
		]
	],
	[
		'daemon: limit/Default burn list length',
		[
			{
				file: 'tests/integration/devnet/limits.test.ts',
				test: 'the list of burns holds ten unless another number is asked for'
			}
		]
	],
	[
		'daemon: limit/Default search depth',
		[
			{
				file: 'tests/integration/devnet/limits.test.ts',
				test: 'a notarization is searched 1440 blocks down unless told otherwise'
			}
		]
	],
	[
		'daemon: flow/B',
		[
			{
				file: 'tests/e2e/routes.spec.ts',
				test: 'chosen outputs are burned for two recipients and arrive'
			}
		]
	],
	[
		'daemon: flow/C/1',
		[
			{
				file: 'tests/e2e/backup.spec.ts',
				test: 'a published burn is approved by three notaries here and two from outside, and arrives exactly'
			}
		]
	],
	[
		'daemon: flow/C/2',
		[
			{
				file: 'tests/e2e/backup.spec.ts',
				test: 'a published burn is approved by three notaries here and two from outside, and arrives exactly'
			}
		]
	],
	[
		'daemon: flow/C/3',
		[
			{
				file: 'tests/e2e/backup.spec.ts',
				test: 'a published burn is approved by three notaries here and two from outside, and arrives exactly'
			}
		]
	],
	[
		'daemon: flow/D/1',
		[
			{
				file: 'tests/e2e/selfImport.spec.ts',
				test: 'the issuer finds the form on the chain, reviews both transactions, and the coins arrive'
			}
		]
	],
	[
		'daemon: flow/D/2',
		[
			{
				file: 'tests/e2e/selfImport.spec.ts',
				test: 'the issuer finds the form on the chain, reviews both transactions, and the coins arrive'
			}
		]
	],
	[
		'daemon: flow/D/3',
		[
			{
				file: 'tests/e2e/selfImport.spec.ts',
				test: 'the issuer finds the form on the chain, reviews both transactions, and the coins arrive'
			}
		]
	]
]);

/** Pages that answer by themselves what the method is there for. */
export const OWN_PAGES: ReadonlyMap<string, string> = new Map([
	// Every transaction is decoded here, from its bytes.
	['decoderawtransaction', 'src/routes/decode/+page.server.ts'],
	['gettransaction', 'src/routes/[chain]/tx/[txid]/+page.server.ts'],
	// The index knows the tokens without asking for the list.
	['tokenlist', 'src/routes/[chain]/tokens/+page.server.ts']
]);
