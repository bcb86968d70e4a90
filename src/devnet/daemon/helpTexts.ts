/**
 * Help texts of Komodo daemon 0.9.0, by method. `{chain}` and `{port}` stand for the daemon's own name and
 * port in the examples. A call with the wrong number of parameters gets this text as its error message.
 */
export const HELP_TEXTS: ReadonlyMap<string, string> = new Map([
	[
		'MoMoMdata',
		`MoMoMdata symbol kmdheight ccid
`
	],
	[
		'assetchainproof',
		`assetchainproof needs a txid
`
	],
	[
		'calc_MoM',
		`calc_MoM height MoMdepth
`
	],
	[
		'coinsupply',
		`coinsupply <height>
`
	],
	[
		'createrawtransaction',
		`createrawtransaction [{"txid":"id","vout":n},...] {"address":amount,...} ( locktime ) ( expiryheight )

Create a transaction spending the given inputs and creating new outputs.
Outputs can be addresses or standart scripts (in hex) or data.
Returns hex-encoded raw transaction.
Note that the transaction's inputs are not signed, and
it is not stored in the wallet or transmitted to the network.

Arguments:
1. "inputs"                (array, required) A json array of json objects
     [
       {
         "txid":"id",    (string, required) The transaction id
         "vout":n,         (numeric, required) The output number
         "sequence":n      (numeric, optional) The sequence number
       } 
       ,...
     ]
2. "outputs"               (object, required) a json object with outputs
    {
      "address": x.xxx,    (numeric or string, required) The key is the komodo address or script (in hex), the numeric value (can be string) is the KMD amount
      "data": "hex"      (string, required) The key is "data", the value is hex encoded data
      ,...
    }
3. locktime              (numeric, optional, default=0) Raw locktime. Non-0 value also locktime-activates inputs
4. expiryheight          (numeric, optional, default=200) Expiry height of transaction (if Overwinter is active)

Result:
"transaction"            (string) hex string of the transaction

Examples
> komodo-cli -ac_name={chain} createrawtransaction "[{\\"txid\\":\\"myid\\",\\"vout\\":0}]" "{\\"address\\":0.01}"
> komodo-cli -ac_name={chain} createrawtransaction "[{\\"txid\\":\\"myid\\",\\"vout\\":0}]" "{\\"21021ce1eac70455c3e6c52d67c133549b8aed4a588fba594372e8048e65c4f0fcb6ac\\":0.01}"
> komodo-cli -ac_name={chain} createrawtransaction "[{\\"txid\\":\\"myid\\",\\"vout\\":0}]" "{\\"data\\":\\"00010203\\"}"
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "createrawtransaction", "params": ["[{\\"txid\\":\\"myid\\",\\"vout\\":0}]", "{\\"address\\":0.01}"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "createrawtransaction", "params": ["[{\\"txid\\":\\"myid\\",\\"vout\\":0}]", "{\\"21021ce1eac70455c3e6c52d67c133549b8aed4a588fba594372e8048e65c4f0fcb6ac\\":0.01}"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "createrawtransaction", "params": ["[{\\"txid\\":\\"myid\\",\\"vout\\":0}]", "{\\"data\\":\\"00010203\\"}"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'decoderawtransaction',
		`decoderawtransaction "hexstring"

Return a JSON object representing the serialized, hex-encoded transaction.

Arguments:
1. "hex"      (string, required) The transaction hex string

Result:
{
  "txid" : "id",        (string) The transaction id
  "overwintered" : bool   (boolean) The Overwintered flag
  "version" : n,          (numeric) The version
  "versiongroupid": "hex"   (string, optional) The version group id (Overwintered txs)
  "locktime" : ttt,       (numeric) The lock time
  "expiryheight" : n,     (numeric, optional) Last valid block height for mining transaction (Overwintered txs)
  "vin" : [               (array of json objects)
     {
       "txid": "id",    (string) The transaction id
       "vout": n,         (numeric) The output number
       "scriptSig": {     (json object) The script
         "asm": "asm",  (string) asm
         "hex": "hex"   (string) hex
       },
       "sequence": n     (numeric) The script sequence number
     }
     ,...
  ],
  "vout" : [             (array of json objects)
     {
       "value" : x.xxx,            (numeric) The value in KMD
       "n" : n,                    (numeric) index
       "scriptPubKey" : {          (json object)
         "asm" : "asm",          (string) the asm
         "hex" : "hex",          (string) the hex
         "reqSigs" : n,            (numeric) The required sigs
         "type" : "pubkeyhash",  (string) The type, eg 'pubkeyhash'
         "addresses" : [           (json array of string)
           "RTZMZHDFSTFQst8XmX2dR4DaH87cEUs3gC"   (string) komodo address
           ,...
         ]
       }
     }
     ,...
  ],
  "vjoinsplit" : [        (array of json objects, only for version >= 2)
     {
       "vpub_old" : x.xxx,         (numeric) public input value in KMD
       "vpub_new" : x.xxx,         (numeric) public output value in KMD
       "anchor" : "hex",         (string) the anchor
       "nullifiers" : [            (json array of string)
         "hex"                     (string) input note nullifier
         ,...
       ],
       "commitments" : [           (json array of string)
         "hex"                     (string) output note commitment
         ,...
       ],
       "onetimePubKey" : "hex",  (string) the onetime public key used to encrypt the ciphertexts
       "randomSeed" : "hex",     (string) the random seed
       "macs" : [                  (json array of string)
         "hex"                     (string) input note MAC
         ,...
       ],
       "proof" : "hex",          (string) the zero-knowledge proof
       "ciphertexts" : [           (json array of string)
         "hex"                     (string) output note ciphertext
         ,...
       ]
     }
     ,...
  ],
}

Examples:
> komodo-cli -ac_name={chain} decoderawtransaction "hexstring"
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "decoderawtransaction", "params": ["hexstring"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'fundrawtransaction',
		`fundrawtransaction "hexstring"

Add inputs to a transaction until it has enough in value to meet its out value.
This will not modify existing inputs, and will add one change output to the outputs.
Note that inputs which were signed may need to be resigned after completion since in/outputs have been added.
The inputs added will not be signed, use signrawtransaction for that.

Arguments:
1. "hexstring"    (string, required) The hex string of the raw transaction

Result:
{
  "hex":       "value", (string)  The resulting raw transaction (hex-encoded string)
  "fee":       n,         (numeric) The fee added to the transaction
  "changepos": n          (numeric) The position of the added change output, or -1
}
"hex"             

Examples:

Create a transaction with no inputs
> komodo-cli -ac_name={chain} createrawtransaction "[]" "{\\"myaddress\\":0.01}"

Add sufficient unsigned inputs to meet the output value
> komodo-cli -ac_name={chain} fundrawtransaction "rawtransactionhex"

Sign the transaction
> komodo-cli -ac_name={chain} signrawtransaction "fundedtransactionhex"

Send the transaction
> komodo-cli -ac_name={chain} sendrawtransaction "signedtransactionhex"
`
	],
	[
		'getNotarisationsForBlock',
		`getNotarisationsForBlock height

Takes a block height and returns notarisation information within the block`
	],
	[
		'getaddressbalance',
		`getaddressbalance

Returns the balance for an address(es) (requires addressindex to be enabled).
`
	],
	[
		'getaddresstxids',
		`getaddresstxids (ccvout)

Returns the txids for an address(es) (requires addressindex to be enabled).
`
	],
	[
		'getaddressutxos',
		`getaddressutxos

Returns all unspent outputs for an address (requires addressindex to be enabled).
`
	],
	[
		'getbalance',
		`getbalance ( "account" minconf includeWatchonly )

Returns the server's total available balance.
`
	],
	[
		'getbestblockhash',
		`getbestblockhash

Returns the hash of the best (tip) block in the longest block chain.
`
	],
	[
		'getblock',
		`getblock "hash|height" ( verbosity )

If verbosity is 0, returns a string that is serialized, hex-encoded data for the block.
If verbosity is 1, returns an Object with information about the block.
If verbosity is 2, returns an Object with information about the block and information about each transaction. 

Arguments:
1. "hash|height"          (string, required) The block hash or height
2. verbosity              (numeric, optional, default=1) 0 for hex encoded data, 1 for a json object, and 2 for json object with transaction data

Result (for verbosity = 0):
"data"             (string) A string that is serialized, hex-encoded data for the block.

Result (for verbosity = 1):
{
  "hash" : "hash",       (string) the block hash (same as provided hash)
  "confirmations" : n,   (numeric) The number of notarized DPoW confirmations, or -1 if the block is not on the main chain
  "rawconfirmations" : n,(numeric) The number of raw confirmations, or -1 if the block is not on the main chain
  "size" : n,            (numeric) The block size
  "height" : n,          (numeric) The block height or index (same as provided height)
  "version" : n,         (numeric) The block version
  "merkleroot" : "xxxx", (string) The merkle root
  "finalsaplingroot" : "xxxx", (string) The root of the Sapling commitment tree after applying this block
  "tx" : [               (array of string) The transaction ids
     "transactionid"     (string) The transaction id
     ,...
  ],
  "time" : ttt,          (numeric) The block time in seconds since epoch (Jan 1 1970 GMT)
  "nonce" : n,           (numeric) The nonce
  "bits" : "1d00ffff",   (string) The bits
  "difficulty" : x.xxx,  (numeric) The difficulty
  "chainSupply": {          (object) information about the total supply
      "monitored": xx,           (boolean) true if the total supply is being monitored
      "chainValue": xxxxxx,      (numeric, optional) total chain supply
      "chainValueZat": xxxxxx,   (numeric, optional) total chain supply in satoshis
      "valueDelta": xxxxxx,      (numeric, optional) change to the chain supply produced by this block
      "valueDeltaZat": xxxxxx,   (numeric, optional) change to the chain supply produced by this block, in satoshis
  }
  "valuePools": [            (array) information about each value pool
      {
          "id": "xxxx",            (string) name of the pool
          "monitored": xx,           (boolean) true if the pool is being monitored
          "chainValue": xxxxxx,      (numeric, optional) total amount in the pool
          "chainValueZat": xxxxxx,   (numeric, optional) total amount in the pool in satoshis
          "valueDelta": xxxxxx,      (numeric, optional) change to the amount in the pool produced by this block
          "valueDeltaZat": xxxxxx,   (numeric, optional) change to the amount in the pool produced by this block, in satoshis
      }, ...
  ]
  "previousblockhash" : "hash",  (string) The hash of the previous block
  "nextblockhash" : "hash"       (string) The hash of the next block
}

Result (for verbosity = 2):
{
  ...,                     Same output as verbosity = 1.
  "tx" : [               (array of Objects) The transactions in the format of the getrawtransaction RPC. Different from verbosity = 1 "tx" result.
         ,...
  ],
  ,...                     Same output as verbosity = 1.
}

Examples:
> komodo-cli -ac_name={chain} getblock "00000000febc373a1da2bd9f887b105ad79ddc26ac26c2b28652d64e5207c5b5"
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "getblock", "params": ["00000000febc373a1da2bd9f887b105ad79ddc26ac26c2b28652d64e5207c5b5"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
> komodo-cli -ac_name={chain} getblock 12800
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "getblock", "params": [12800] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'getblockchaininfo',
		`getblockchaininfo

Returns an object containing various state info regarding block chain processing.
`
	],
	[
		'getblockcount',
		`getblockcount

Returns the number of blocks in the best valid block chain.

Result:
n    (numeric) The current block count

Examples:
> komodo-cli -ac_name={chain} getblockcount 
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "getblockcount", "params": [] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'getblockhash',
		`getblockhash index

Returns hash of block in best-block-chain at index provided.

Arguments:
1. index         (numeric, required) The block index

Result:
"hash"         (string) The block hash

Examples:
> komodo-cli -ac_name={chain} getblockhash 1000
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "getblockhash", "params": [1000] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'getblockheader',
		`getblockheader "hash" ( verbose )

If verbose is false, returns a string that is serialized, hex-encoded data for blockheader 'hash'.
`
	],
	[
		'getconnectioncount',
		`getconnectioncount

Returns the number of connections to other nodes.
`
	],
	[
		'getimports',
		`getimports "hash|height"



Result:
{
  "imports" : [                  (json array)
       "transactionid" : {       (json object)
           "value" :             (numeric)
           "address" :           (string)
           "export" {                (json object)
               "txid" :              (string)
               "value" :             (numeric)
               "chain" :             (string)
           }
       }  ]
  "TotalImported" :              (numeric)
  "time" :                       (numeric)
}

Examples:
> komodo-cli -ac_name={chain} getimports "00000000febc373a1da2bd9f887b105ad79ddc26ac26c2b28652d64e5207c5b5"
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "getimports", "params": ["00000000febc373a1da2bd9f887b105ad79ddc26ac26c2b28652d64e5207c5b5"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
> komodo-cli -ac_name={chain} getimports 12800
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "getimports", "params": [12800] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'getinfo',
		`getinfo
Returns an object containing various state info.

Result:
{
  "version": xxxxx,           (numeric) the server version
  "protocolversion": xxxxx,   (numeric) the protocol version
  "walletversion": xxxxx,     (numeric) the wallet version
  "balance": xxxxxxx,         (numeric) the total Komodo balance of the wallet
  "blocks": xxxxxx,           (numeric) the current number of blocks processed in the server
  "timeoffset": xxxxx,        (numeric) the time offset (deprecated; always 0)
  "connections": xxxxx,       (numeric) the number of connections
  "proxy": "host:port",     (string, optional) the proxy used by the server
  "difficulty": xxxxxx,       (numeric) the current difficulty
  "testnet": true|false,      (boolean) if the server is using testnet or not
  "keypoololdest": xxxxxx,    (numeric) the timestamp (seconds since GMT epoch) of the oldest pre-generated key in the key pool
  "keypoolsize": xxxx,        (numeric) how many new keys are pre-generated
  "unlocked_until": ttt,      (numeric) the timestamp in seconds since epoch (midnight Jan 1 1970 GMT) that the wallet is unlocked for transfers, or 0 if the wallet is locked
  "paytxfee": x.xxxx,         (numeric) the transaction fee set in KMD/kB
  "relayfee": x.xxxx,         (numeric) minimum relay fee for non-free transactions in KMD/kB
  "errors": "..."           (string) any error messages
}

Examples:
> komodo-cli -ac_name={chain} getinfo 
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "getinfo", "params": [] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'getmempoolinfo',
		`getmempoolinfo

Returns details on the active state of the TX memory pool.
`
	],
	[
		'getmininginfo',
		`getmininginfo

Returns a json object containing mining-related information.`
	],
	[
		'getnetworkinfo',
		`getnetworkinfo

Returns an object containing various state info regarding P2P networking.
`
	],
	[
		'getnewaddress',
		`getnewaddress ( "account" )

Returns a new Komodo address for receiving payments.
`
	],
	[
		'getpeerinfo',
		`getpeerinfo

Returns data about each connected network node as a json array of objects.
`
	],
	[
		'getrawmempool',
		`getrawmempool ( verbose )

Returns all transaction ids in memory pool as a json array of string transaction ids.
`
	],
	[
		'getrawtransaction',
		`getrawtransaction "txid" ( verbose )

Return the raw transaction data.
`
	],
	[
		'gettransaction',
		`gettransaction "txid" ( includeWatchonly )

Get detailed information about in-wallet transaction <txid>
`
	],
	[
		'gettxout',
		`gettxout "txid" n ( includemempool )

Returns details about an unspent transaction output.
`
	],
	[
		'gettxoutproof',
		`gettxoutproof ["txid",...] ( blockhash )

Returns a hex-encoded proof that "txid" was included in a block.
`
	],
	[
		'getwalletburntransactions',
		`getwalletburntransactions "count"

Lists most recent wallet burn transactions up to 'count' parameter
parameter default is 10
`
	],
	[
		'getwalletinfo',
		`getwalletinfo
Returns an object containing various wallet state info.
`
	],
	[
		'height_MoM',
		`height_MoM height
`
	],
	[
		'help',
		`help ( "command" )

List all commands, or get help for a specified command.
`
	],
	[
		'importprivkey',
		`importprivkey "komodoprivkey" ( "label" rescan height secret_key)

Adds a private key (as returned by dumpprivkey) to your wallet.
`
	],
	[
		'listtransactions',
		`listtransactions ( "account" count from includeWatchonly)

Returns up to 'count' most recent transactions skipping the first 'from' transactions for account 'account'.
`
	],
	[
		'listunspent',
		`listunspent ( minconf maxconf  ["address",...] )

Returns array of unspent transaction outputs
with between minconf and maxconf (inclusive) confirmations.
`
	],
	[
		'migrate_checkburntransactionsource',
		`migrate_checkburntransactionsource burntxid

checks if params stored in the burn tx match to its tx chain`
	],
	[
		'migrate_completeimporttransaction',
		`migrate_completeimporttransaction importTx [offset]

Takes a cross chain import tx with proof generated on assetchain and extends proof to target chain proof root
offset is optional, use it to increase the used KMD height, use when import fails.`
	],
	[
		'migrate_converttoexport',
		`migrate_converttoexport rawTx dest_symbol

Convert a raw transaction to a cross-chain export.
If neccesary, the transaction should be funded using fundrawtransaction.
Finally, the transaction should be signed using signrawtransaction
The finished export transaction, plus the payouts, should be passed to the "migrate_createimporttransaction" method to get the corresponding import transaction.
`
	],
	[
		'migrate_createburntransaction',
		`migrate_createburntransaction dest_symbol dest_addr amount [tokenid]

Creates a raw burn transaction to make a cross-chain coin or non-fungible token transfer.
The parameters:
dest_symbol   destination chain ac_name
dest_addr     address on the destination chain where coins are to be sent or pubkey if tokens are to be sent
amount        amount in coins to be burned on the source chain and sent to the destination address/pubkey on the destination chain, for tokens should be equal to 1
tokenid       token id, if tokens are transferred (optional). Only non-fungible tokens are supported

The transaction should be sent using sendrawtransaction to the source chain
The finished burn transaction and payouts should be also passed to the "migrate_createimporttransaction" method to get the corresponding import transaction.
`
	],
	[
		'migrate_createimporttransaction',
		`migrate_createimporttransaction burnTx payouts [notarytxid-1]..[notarytxid-N]

Create an importTx given a burnTx and the corresponding payouts, hex encoded
optional notarytxids are txids of notary operator proofs of burn tx existense (from destination chain).
Do not make subsequent call to migrate_completeimporttransaction if notary txids are set`
	],
	[
		'migrate_createnotaryapprovaltransaction',
		`migrate_createnotaryapprovaltransaction burntxid txoutproof

Creates a tx for destination chain with burn tx proof
txoutproof should be retrieved by komodo-cli migrate_checkburntransactionsource call on the source chain
`
	],
	[
		'notaries',
		`notaries height timestamp
`
	],
	[
		'scanNotarisationsDB',
		`scanNotarisationsDB blockHeight symbol [blocksLimit=1440]

Scans notarisationsdb backwards from height for a notarisation of given symbol`
	],
	[
		'selfimport',
		`selfimport destaddr amount

creates self import coin transaction`
	],
	[
		'sendrawtransaction',
		`sendrawtransaction "hexstring" ( allowhighfees )

Submits raw transaction (serialized, hex-encoded) to local node and network.

Also see createrawtransaction and signrawtransaction calls.

Arguments:
1. "hexstring"    (string, required) The hex string of the raw transaction)
2. allowhighfees    (boolean, optional, default=false) Allow high fees

Result:
"hex"             (string) The transaction hash in hex

Examples:

Create a transaction
> komodo-cli -ac_name={chain} createrawtransaction "[{\\"txid\\" : \\"mytxid\\",\\"vout\\":0}]" "{\\"myaddress\\":0.01}"
Sign the transaction, and get back the hex
> komodo-cli -ac_name={chain} signrawtransaction "myhex"

Send the transaction (signed hex)
> komodo-cli -ac_name={chain} sendrawtransaction "signedhex"

As a json rpc call
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "sendrawtransaction", "params": ["signedhex"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'sendtoaddress',
		`sendtoaddress "komodoaddress" amount ( "comment" "comment-to" subtractfeefromamount )

Send an amount to a given address. The amount is a real and is rounded to the nearest 0.00000001
`
	],
	[
		'setpubkey',
		`setpubkey

Sets the -pubkey if the daemon was not started with it, if it was already set, it returns the pubkey.
`
	],
	[
		'signrawtransaction',
		`signrawtransaction "hexstring" ( [{"txid":"id","vout":n,"scriptPubKey":"hex","redeemScript":"hex"},...] ["privatekey1",...] sighashtype )

Sign inputs for raw transaction (serialized, hex-encoded).
The second optional argument (may be null) is an array of previous transaction outputs that
this transaction depends on but may not yet be in the block chain.
The third optional argument (may be null) is an array of base58-encoded private
keys that, if given, will be the only keys used to sign the transaction.


Arguments:
1. "hexstring"     (string, required) The transaction hex string
2. "prevtxs"       (string, optional) An json array of previous dependent transaction outputs
     [               (json array of json objects, or 'null' if none provided)
       {
         "txid":"id",             (string, required) The transaction id
         "vout":n,                  (numeric, required) The output number
         "scriptPubKey": "hex",   (string, required) script key
         "redeemScript": "hex",   (string, required for P2SH) redeem script
         "amount": value            (numeric, required) The amount spent
       }
       ,...
    ]
3. "privatekeys"     (string, optional) A json array of base58-encoded private keys for signing
    [                  (json array of strings, or 'null' if none provided)
      "privatekey"   (string) private key in base58-encoding
      ,...
    ]
4. "sighashtype"     (string, optional, default=ALL) The signature hash type. Must be one of
       "ALL"
       "NONE"
       "SINGLE"
       "ALL|ANYONECANPAY"
       "NONE|ANYONECANPAY"
       "SINGLE|ANYONECANPAY"
5.  "branchid"       (string, optional) The hex representation of the consensus branch id to sign with. This can be used to force signing with consensus rules that are ahead of the node's current height.

Result:
{
  "hex" : "value",           (string) The hex-encoded raw transaction with signature(s)
  "complete" : true|false,   (boolean) If the transaction has a complete set of signatures
  "errors" : [                 (json array of objects) Script verification errors (if there are any)
    {
      "txid" : "hash",           (string) The hash of the referenced, previous transaction
      "vout" : n,                (numeric) The index of the output to spent and used as input
      "scriptSig" : "hex",       (string) The hex-encoded signature script
      "sequence" : n,            (numeric) Script sequence number
      "error" : "text"           (string) Verification or signing error related to the input
    }
    ,...
  ]
}

Examples:
> komodo-cli -ac_name={chain} signrawtransaction "myhex"
> curl --user myusername --data-binary '{"jsonrpc": "1.0", "id":"curltest", "method": "signrawtransaction", "params": ["myhex"] }' -H 'content-type: text/plain;' http://127.0.0.1:{port}/
`
	],
	[
		'tokenaddress',
		`tokenaddress [pubkey]
`
	],
	[
		'tokenbalance',
		`tokenbalance tokenid [pubkey]
`
	],
	[
		'tokencreate',
		`tokencreate name supply [description][data]
`
	],
	[
		'tokeninfo',
		`tokeninfo tokenid
`
	],
	[
		'tokenlist',
		`tokenlist
`
	],
	[
		'tokentransfer',
		`tokentransfer tokenid destpubkey amount
`
	],
	[
		'txnotarizedconfirmed',
		`txnotarizedconfirmed txid

Returns true if transaction is notarized on chain that has notarization or number of confirmations is greater than 60
`
	],
	[
		'validateaddress',
		`validateaddress "komodoaddress"

Return information about the given Komodo address.
`
	],
	[
		'verifytxoutproof',
		`verifytxoutproof "proof"

Verifies that a proof points to a transaction in a block, returning the transaction it commits to
and throwing an RPC error if the block is not in our best chain
`
	]
]);
