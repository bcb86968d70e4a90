import { rejections } from '#lib/messages/transactions/rejections.ts';
import { afterAll, expect, test } from 'vitest';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { creation, gatewayTo, made, refusal, reviewed, senderOver, unitsOf } from './support.ts';
import { shared } from '../../support/shared.ts';

describeOnBothDatabases('on a network that relays as release 0.9.0 does', (database) => {
	const gateways: Gateway[] = [];
	const net = shared(() => startDevnet({ profile: 'daemon-0.9.0' }));
	afterAll(async () => {
		for (const gateway of gateways) await gateway.close();
	});
	const senderThatKnows = (dataCarrierSize: number | null) => {
		const gateway = gatewayTo(net, database, { ALPHA: { dataCarrierSize } });
		gateways.push(gateway);
		return senderOver(database, gateway);
	};
	/** Payload: 2 bytes of module and function, 34 of the owner, 6 of a name with 5 letters. */
	const described = (bytes: number) => creation({ name: 'RELAY', description: 'd'.repeat(bytes) });

	test('the longest description that is relayed is sent and mined', async () => {
		const sender = senderThatKnows(208);
		const tokenid = await made(net, sender, described(162));
		expect(await unitsOf(net, tokenid)).toBe(1000);
	});

	test('one letter more is refused at the field when the limit is known', async () => {
		const act = senderThatKnows(208).createToken('ALPHA', described(163), 'ada');
		expect(await refusal(net, act)).toMatchObject({
			code: 'transaction.payload-too-large',
			field: 'description'
		});
	});

	test('one letter more is warned of, and explained by the refusal, when the limit is not known', async () => {
		const sender = senderThatKnows(null);
		const id = await sender.createToken('ALPHA', described(163), 'ada');
		expect((await reviewed(sender, id)).warnings[0]).toMatchObject({ params: { bytes: 209 } });
		expect(await sender.send(id, 'ada')).toBe('rejected');
		const words = rejections.text((await reviewed(sender, id)).rejection!);
		expect(words).toContain('64: scriptpubkey');
		expect(words).toContain('datacarriersize=10001');
		// Its coins are free for the next attempt.
		await made(net, sender, described(10));
	});

	test('a chain without crypto-conditions makes no tokens, and the daemon says why', async () => {
		const act = senderThatKnows(null).createToken('KMD', creation(), 'ada');
		const error = await refusal(net, act);
		expect(error.code).toBe('transaction.not-built');
		expect(error.message).toContain('CC contracts');
	});
});
