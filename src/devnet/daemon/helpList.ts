/**
 * What `help` without a name lists in Komodo daemon 0.9.0, of the methods that are known here: headings, and the
 * first line of each method's own text. `{chain}` stands for the daemon's chain.
 */
export const HELP_LIST: readonly (readonly [heading: string, lines: readonly string[]])[] = [
	[
		'Addressindex',
		[
			'getaddressbalance',
			'getaddressdeltas',
			'getaddressmempool',
			'getaddresstxids (ccvout)',
			'getaddressutxos',
			'getnotarypayinfo'
		]
	],
	[
		'Blockchain',
		[
			'coinsupply <height>',
			'getbestblockhash',
			'getblock "hash|height" ( verbosity )',
			'getblockchaininfo',
			'getblockcount',
			'getblockhash index',
			'getblockhashes timestamp',
			'getblockheader "hash" ( verbose )',
			'getchaintips',
			'getchaintxstats',
			'getdifficulty',
			'getlastsegidstakes depth',
			'getmempoolinfo',
			'getrawmempool ( verbose )',
			'getspentinfo',
			'gettxout "txid" n ( includemempool )',
			'gettxoutproof ["txid",...] ( blockhash )',
			'gettxoutsetinfo',
			'kvsearch key',
			'kvupdate key "value" days passphrase',
			'minerids needs height',
			'notaries height timestamp',
			'verifychain ( checklevel numblocks )',
			'verifytxoutproof "proof"'
		]
	],
	['Control', ['getinfo', 'help ( "command" )', 'stop']],
	[
		'Crosschain',
		[
			'MoMoMdata symbol kmdheight ccid',
			'assetchainproof needs a txid',
			'calc_MoM height MoMdepth',
			'getNotarisationsForBlock height',
			'getimports "hash|height"',
			'getwalletburntransactions "count"',
			'height_MoM height',
			'migrate_checkburntransactionsource burntxid',
			'migrate_completeimporttransaction importTx [offset]',
			'migrate_converttoexport rawTx dest_symbol',
			'migrate_createburntransaction dest_symbol dest_addr amount [tokenid]',
			'migrate_createimporttransaction burnTx payouts [notarytxid-1]..[notarytxid-N]',
			'migrate_createnotaryapprovaltransaction burntxid txoutproof',
			'scanNotarisationsDB blockHeight symbol [blocksLimit=1440]',
			'selfimport only works on -ac_import chains'
		]
	],
	['Generating', ['generate numblocks', 'getgenerate', 'setgenerate generate ( genproclimit )']],
	[
		'Mining',
		[
			'getblocksubsidy height',
			'getblocktemplate ( "jsonrequestobject" )',
			'getlocalsolps',
			'getmininginfo',
			'getnetworkhashps ( blocks height )',
			'getnetworksolps ( blocks height )',
			'prioritisetransaction <txid> <priority delta> <fee delta>'
		]
	],
	[
		'Network',
		[
			'getaddednodeinfo dns ( "node" )',
			'getconnectioncount',
			'getdeprecationinfo',
			'getnettotals',
			'getnetworkinfo',
			'getpeerinfo',
			'listbanned',
			'ping'
		]
	],
	[
		'Rawtransactions',
		[
			'createrawtransaction [{"txid":"id","vout":n},...] {"address":amount,...} ( locktime ) ( expiryheight )',
			'decoderawtransaction "hexstring"',
			'decodescript "hex"',
			'fundrawtransaction "hexstring"',
			'getrawtransaction "txid" ( verbose )',
			'sendrawtransaction "hexstring" ( allowhighfees )',
			'signrawtransaction "hexstring" ( [{"txid":"id","vout":n,"scriptPubKey":"hex","redeemScript":"hex"},...] ["privatekey1",...] sighashtype )'
		]
	],
	[
		'Tokens',
		[
			'tokenaddress [pubkey]',
			'tokenbalance tokenid [pubkey]',
			'tokencreate name supply [description][data]',
			'tokeninfo tokenid',
			'tokenlist',
			'tokentransfer tokenid destpubkey amount'
		]
	],
	[
		'Util',
		[
			'createmultisig nrequired ["key",...]',
			'decodeccopret scriptPubKey',
			'estimatefee nblocks',
			'estimatepriority nblocks',
			'invalidateblock "hash"',
			'reconsiderblock "hash"',
			'txnotarizedconfirmed txid',
			'validateaddress "komodoaddress"',
			'verifymessage "komodoaddress" "signature" "message"'
		]
	],
	[
		'Wallet',
		[
			'dumpprivkey "t-addr"',
			'dumpwallet "filename"',
			'encryptwallet "passphrase"',
			'getbalance ( "account" minconf includeWatchonly )',
			'getnewaddress ( "account" )',
			'getrawchangeaddress',
			'getreceivedbyaddress "{chain}_address" ( minconf )',
			'gettransaction "txid" ( includeWatchonly )',
			'getunconfirmedbalance',
			'getwalletinfo',
			'importaddress "address" ( "label" rescan )',
			'importprivkey "komodoprivkey" ( "label" rescan height secret_key)',
			'keypoolrefill ( newsize )',
			'listsinceblock ( "blockhash" target-confirmations includeWatchonly)',
			'listtransactions ( "account" count from includeWatchonly)',
			'listunspent ( minconf maxconf  ["address",...] )',
			'lockunspent unlock [{"txid":"txid","vout":n},...]',
			'resendwallettransactions',
			'sendtoaddress "{chain}_address" amount ( "comment" "comment-to" subtractfeefromamount )',
			'setpubkey',
			'setstakingsplit',
			'signmessage "t-addr" "message"'
		]
	]
];
