/**
 * Texts of the forms that activate a coin on the trading node. Names in hints are those of the node's
 * parameters.
 */
import { count } from '#lib/text/plural.ts';

/** Titles of the activation methods. */
export const METHOD_TITLES = {
	'task::enable_utxo': 'Electrum (recommended)',
	electrum: 'Electrum (legacy call)',
	enable: 'Native node',
	'task::enable_bch': 'BCH with SLP tokens',
	'task::enable_qtum': 'Electrum (HD wallets)',
	'task::enable_z_coin': 'Light wallet servers',
	enable_eth_with_tokens: 'EVM + tokens (legacy call)',
	'task::enable_eth': 'EVM + tokens',
	enable_erc20: 'Token',
	'task::enable_erc20': 'Token (HD wallets)',
	enable_nft: 'NFTs',
	'task::init_trezor': 'Hardware wallet'
} as const;

/** Returns the title of an activation method; for an EVM coin `enable` uses node URLs instead of a daemon. */
export const methodTitle = (method: keyof typeof METHOD_TITLES, isEvm: boolean): string =>
	method === 'enable' && isEvm ? 'Node URLs (legacy call)' : METHOD_TITLES[method];

/** Texts that both forms share. */
export const activationForm = {
	noSuchCoin: (ticker: string): string =>
		`The coins file has no coin ${ticker}. Check the spelling, capitals included: a new coin needs a newer coins file.`,
	noMethod: 'This coin cannot be activated here.',
	chooseOne: 'Choose one',
	wallet: 'Wallet',
	history: 'Load transaction history',
	historyHint: 'tx_history. Without it the coin’s page shows no history.',
	key: 'Sign with',
	keyHint: 'priv_key_policy',
	hardware: 'Hardware wallet',
	noHardware: 'Hardware wallet (does not support this coin)',
	balances: 'Ask for balances',
	advanced: 'Advanced',
	connections: 'Connections',
	test: 'Test servers',
	tested: 'Servers are also tested before each activation. Last tested',
	untested: 'Servers are tested before activation.',
	otherServers: 'Other servers',
	/** Result of testing one server: height is null when the server does not report it. */
	probed: (ok: boolean, ms: number, height: number | null, reason: string | null): string =>
		ok
			? `Online, ${count(ms)} ms${height === null ? '' : `, block ${count(height)}`}`
			: `Offline${reason === null ? '' : `: ${reason}`}`,
	platformFirst: (ticker: string, platform: string): string =>
		`${ticker} cannot be activated yet: activate ${platform} first.`,
	openPlatform: (platform: string): string => `Open ${platform}`,
	activate: (ticker: string): string => `Activate ${ticker}`,
	cancel: 'Cancel',
	swapContracts: 'Swap contracts',
	swapContract: 'Swap contract',
	fallbackContract: 'Fallback contract'
} as const;

export const swapFields = {
	title: 'Swaps',
	mm2: 'Enable for swaps',
	mm2Hint: 'mm2',
	mm2Yes: 'Yes',
	mm2No: 'No, wallet only',
	confirmations: 'Required confirmations',
	confirmationsHint: 'required_confirmations, from the coins file where it says so.',
	notarization: 'Require notarization (dPoW)',
	notarizationHint: 'requires_notarization',
	notarizationOfBch: 'requires_notarization has no effect on BCH.',
	notarizationOfEvm: 'requires_notarization: EVM chains are not notarized.',
	yes: 'Yes',
	no: 'No'
} as const;

/** `prefix` precedes the names of the node's parameters. */
export const pathFields = {
	account: 'Account',
	accountHint: (prefix: string): string => `${prefix}account_id. Empty: 0.`,
	chain: 'Chain',
	external: 'External',
	internal: 'Internal (change)',
	index: 'Address index',
	indexHint: (prefix: string): string => `${prefix}address_id. Empty: 0.`
} as const;

export const utxoForm = {
	servers: 'Servers',
	noServers: (ticker: string, mayName: boolean): string =>
		`The coins file lists no Electrum server for ${ticker}. ${
			mayName
				? 'Enter one below, or add one on the Electrum servers page.'
				: 'An admin can add one.'
		}`,
	moreServers: 'More servers',
	moreServersHint: (sockets: boolean): string =>
		`One per line: host:port followed by ${sockets ? 'TCP, SSL or WSS' : 'TCP or SSL'}. Only admins see this.`,
	minConnections: 'Min. connections',
	minConnectionsHint: 'min_connected, 1 or more.',
	maxConnections: 'Max. connections',
	maxConnectionsHint: 'max_connected. Empty: as many as there are servers.',
	bchd: {
		title: 'Servers that check SLP tokens (bchd)',
		more: 'More bchd servers',
		moreHint: 'One https:// address per line. Only admins see this.',
		unsafe: 'Continue without a bchd server: this wallet holds no SLP tokens',
		unsafeHint: 'allow_slp_unsafe_conf. With tokens in the wallet a payment could burn them.',
		tokens: 'SLP tokens',
		tokensHint:
			'One per line: ticker, optionally followed by its confirmations. A released node finds them by itself and ignores this.',
		balancesHint: 'get_balances. Faster without; a released node ignores this.'
	},
	light: {
		/** Above the Electrum servers, when the coin uses both kinds. */
		electrum: 'Electrum servers',
		title: 'Light wallet servers (lightwalletd)',
		hint: 'They tell the node the shielded transactions; at least one is needed beside an Electrum server.',
		noServers: (ticker: string, mayName: boolean): string =>
			`The coins file lists no lightwalletd server for ${ticker}. ${
				mayName ? 'Enter one below.' : 'An admin can activate it with other servers.'
			}`,
		more: 'More light wallet servers',
		moreHint: 'One https:// address per line. Only admins see this.',
		wallet: 'Start of the wallet',
		start: 'Read the chain from',
		startHint:
			'sync_params. Coins that arrived before are not seen; the further back, the longer it takes.',
		starts: {
			'': 'Where this wallet stopped, or the last 24 hours',
			earliest: 'The first block with shielded transactions',
			date: 'A date',
			height: 'A block height'
		},
		date: 'Date',
		dateHint: 'From midnight UTC on.',
		height: 'Block height',
		resume: 'Continue where this wallet stopped, if it was read before',
		resumeHint: 'skip_sync_params: the start above then counts only for a wallet that is new.',
		reading: 'Reading',
		perStep: 'Blocks per step',
		perStepHint: 'scan_blocks_per_iteration, 1 or more. Fewer need less memory.',
		pause: 'Pause between steps (ms)',
		pauseHint: 'scan_interval_ms. Longer spares the processor.',
		account: 'Account',
		accountHint: 'account',
		keys: 'Folder of the proving keys on the node',
		keysHint:
			'zcash_params_path. Empty: the usual place (.zcash-params in the home of the node’s user). Only admins see this.'
	},
	swapContractHint: 'swap_contract_address: QRC20 tokens need it for swaps.',
	fallbackContractHint: 'fallback_swap_contract',
	maturity: 'Exclude immature coinbase outputs',
	maturityHint: 'check_utxo_maturity',
	format: 'Address format',
	formatHint: 'address_format',
	formats: { standard: 'Standard', segwit: 'SegWit', cashaddress: 'CashAddr' },
	nodeKey: 'Node key',
	consolidateAt: 'Consolidate when UTXOs exceed',
	consolidateAtHint: 'merge_at. All three empty: no consolidation',
	interval: 'Check interval (s)',
	intervalHint: 'check_every',
	mostUtxos: 'Max. UTXOs per consolidation',
	mostUtxosHint: 'max_merge_at_once'
} as const;

/** Follows a hint about a parameter that released nodes ignore. */
const ignoredBy = (released: boolean): string => (released ? ' This node ignores it.' : '');

export const evmForm = {
	platform: (ticker: string, platform: string): string =>
		`${ticker} runs on ${platform}, which must be active first.`,
	endpoints: 'RPC endpoints',
	noEndpoints: (ticker: string, mayName: boolean): string =>
		`The coins file lists no RPC endpoint for ${ticker}. ${
			mayName ? 'Enter one below.' : 'An admin can activate it with other endpoints.'
		}`,
	webSocket: (url: string, released: boolean): string => `ws_url ${url}.${ignoredBy(released)}`,
	moreEndpoints: 'More RPC endpoints',
	moreEndpointsHint: (used: boolean, released: boolean): string =>
		`One per line: an https:// address, optionally followed by a wss:// address (ws_url)${
			used ? `.${ignoredBy(released)}` : ', which this method does not use.'
		} Only admins see this.`,
	swapContractHint: 'swap_contract_address, from the coins file where it says so.',
	fallbackContractHint:
		'fallback_swap_contract: used for swaps with partners that know only the older one.',
	swapV2: {
		title: 'Swap v2 contracts',
		maker: 'Maker',
		makerHint:
			'swap_v2_contracts: all three or none. Needed when the node has use_trading_proto_v2.',
		taker: 'Taker',
		takerHint: 'taker_swap_v2_contract',
		nftMaker: 'NFT maker',
		nftMakerHint: 'nft_maker_swap_v2_contract'
	},
	tokens: 'Tokens',
	noTokens: (ticker: string): string => `The coins file has no token of ${ticker}.`,
	tokensHint:
		'Each selected token shows its required confirmations. EVM chains are not notarized, so tokens take no requires_notarization.',
	tokenConfirmations: 'Required confirmations of other tokens',
	tokenConfirmationsHint:
		'erc20_tokens_requests: required_confirmations, for selected tokens without a number of their own. Empty: as in the node’s coins file.',
	/** Label next to a selected token. */
	confirmationsOf: (ticker: string): string => `Required confirmations of ${ticker}`,
	balancesHint: 'get_balances. Faster without: tokens are only listed.',
	/** A released node keeps the history of an EVM coin only when it was activated with node URLs. */
	historyIgnored:
		'tx_history. This node ignores it: it keeps a history of an EVM coin only when the coin is activated with node URLs (legacy call).',
	nfts: 'NFTs',
	nftIndexer: 'NFT indexer',
	nftIndexerHint: 'provider of the type NftIndexer, with the address of the service.',
	nftIndexerOptional:
		'nft_req: provider of the type NftIndexer, with the address of the service. Empty: none. In an HD wallet leave it empty and activate the NFTs afterwards (enable_nft).',
	noNftIndexer: 'NFT indexer not configured. Ask an admin.',
	gas: {
		title: 'Gas station',
		url: 'Address',
		urlHint: (released: boolean): string =>
			`gas_station_url. Empty: the RPC endpoints report the price.${ignoredBy(released)}`,
		decimals: 'Decimals',
		decimalsHint: (released: boolean): string =>
			`gas_station_decimals: with 8 a response of 860 means 86 gwei, with 9 it means 860 gwei.${ignoredBy(released)}`,
		policy: 'Gas price policy',
		mean: 'Mean of average and fast',
		average: 'Average',
		policyHint: (released: boolean): string => `gas_station_policy.policy.${ignoredBy(released)}`
	},
	nodeKey: 'Node key (ContextPrivKey)',
	remote: 'Remote signer',
	remoteAdmins: 'Remote signer (admins only)',
	session: 'Connection to the remote signer',
	noSession: 'None',
	/** The trading node does not report its connections. */
	sessionsUnknown: 'Unknown now',
	chosenSession: 'As chosen',
	sessionHint: 'Only for a remote signer.',
	start: 'HD wallet start address',
	rpcMode: 'RPC mode',
	rpcModes: {
		Default: 'Default',
		BrowserWallet: 'Browser wallet (only for nodes that run in a browser)'
	}
} as const;

export const nativeChecks = {
	lead: (ticker: string, daemon: string | null): string =>
		`The trading node uses the ${ticker} daemon on the same machine${
			daemon === null ? ', which is not configured in this console' : ` (here ${daemon})`
		}. All of these are required.`,
	label: 'Requirements of the daemon',
	address: 'Imported address',
	states: { ok: 'OK', missing: 'Missing', unknown: 'Unknown' },
	rescan: 'Rescan the whole chain for earlier coins of this address',
	rescanHint:
		'Takes hours on a long chain, and the daemon responds slowly meanwhile. Without it only coins that arrive from now on are seen.',
	import: 'Import address',
	admin: 'An admin can import the address from here.'
} as const;
