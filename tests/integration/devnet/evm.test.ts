/** The small EVM chain, tested with an independent client library. */
import { createPublicClient, erc20Abi, http, webSocket } from 'viem';
import { expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet({ bare: true }));

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

test('a client of another library reads blocks, coins, tokens and chain ids, over HTTP and WebSocket', async () => {
	const { nodes } = net.node.coins['ETH']!;
	const overHttp = createPublicClient({ transport: http(nodes![0]!.url) });
	const overSocket = createPublicClient({ transport: webSocket(nodes![0]!.ws_url) });
	const result = await fetch(net.node.url, {
		method: 'POST',
		body: JSON.stringify({
			userpass: net.node.password,
			method: 'enable',
			coin: 'ETH',
			urls: [nodes![0]!.url],
			swap_contract_address: net.node.coins['ETH']!.swap_contract_address
		})
	});
	const { address } = (await result.json()) as { address: `0x${string}` };
	for (const client of [overHttp, overSocket]) {
		expect(await client.getBalance({ address })).toBe(5n * 10n ** 17n);
		expect(await client.getBlockNumber()).toBeGreaterThan(20_000_000n);
		const token = { address: USDC, abi: erc20Abi } as const;
		expect(await client.readContract({ ...token, functionName: 'decimals' })).toBe(6);
		expect(await client.readContract({ ...token, functionName: 'symbol' })).toBe('USDC');
		expect(
			await client.readContract({ ...token, functionName: 'balanceOf', args: [address] })
		).toBe(12_500_000n);
		expect(await client.getChainId()).toBe(1);
	}
	const polygon = createPublicClient({
		transport: http(net.node.coins['MATIC']!.nodes![0]!.url)
	});
	expect(await polygon.getChainId()).toBe(137);
	const socket = await overSocket.transport.getRpcClient();
	socket.close();
});

test('its owner’s pictures are told by the provider of NFT facts, nobody else’s', async () => {
	const base = net.node.coins['ETH']!.nodes![0]!.url.replace('/ETH', '/nft/api/v2');
	const nobody = await fetch(`${base}/0x${'1'.repeat(40)}/nft?chain=eth&format=decimal`);
	expect(await nobody.json()).toMatchObject({ result: [] });
});
