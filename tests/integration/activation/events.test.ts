/** Events of the trading node: an activation is polled at once after an event, and as before without events. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/database.ts';
import { activated } from './scriptedNode.ts';
import { createWorld, NODE, type World } from './world.ts';

describeOnBothDatabases('an activation at a node with events', (database) => {
	let world: World;
	beforeEach(async () => {
		world = await createWorld(database);
	});
	afterEach(() => world.close());

	const until = async (id: string, ...states: string[]): Promise<void> => {
		while (!states.includes((await world.row(id)).state)) {
			await new Promise((resolve) => setImmediate(resolve));
		}
	};

	/**
	 * Sends events for a task until `shows` is true. An event during a poll of the same task may be ignored:
	 * normally the next poll would notice the change, but here only events cause polls.
	 */
	const tells = async (task: number, shows: () => Promise<boolean>): Promise<void> => {
		while (!(await shows())) {
			world.node.tell(task);
			await new Promise((resolve) => setImmediate(resolve));
		}
	};
	const isActive = (id: string) => async (): Promise<boolean> =>
		(await world.row(id)).state === 'active';

	/** Waits until the console knows that the node sends it events of tasks. */
	const heard = async (): Promise<number> => {
		for (;;) {
			await world.node.listening();
			const id = world.gateway.listener(NODE);
			if (id !== null && world.node.listeners().includes(id)) return id;
			await new Promise((resolve) => setImmediate(resolve));
		}
	};

	it('names the listener, and looks when it hears of its task although the clock stands still', async () => {
		world.activations.start();
		const listener = await heard();
		const id = await world.begin('KMD', 'task::enable_utxo');
		await until(id, 'running');
		const sent = world.node.seen.find(({ method }) => method === 'task::enable_utxo::init')!;
		expect(sent.params['client_id']).toBe(listener);
		expect(sent.params).toMatchObject({ ticker: 'KMD' });
		world.node.tasks.set(0, { status: 'InProgress', details: 'RequestingWalletBalance' });
		await tells(0, async () => (await world.row(id)).step === '"RequestingWalletBalance"');
		world.node.tasks.set(0, activated('KMD'));
		// An event is only a hint: its claim of a failure is not believed.
		world.node.tell(0, { status: 'Error', details: { error: 'a lie' } });
		await tells(0, isActive(id));
		while ((await world.row(id)).due_at !== null) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		// Events of a foreign task, and of one that has ended, cause no poll.
		const asked = world.node.count('task::enable_utxo::status');
		world.node.tell(99);
		world.node.tell(0);
		await world.activations.advanceDue();
		expect(world.node.count('task::enable_utxo::status')).toBe(asked);
	});

	it('goes on by looking when the stream breaks off, and hears again when it is back', async () => {
		world.activations.start();
		await heard();
		const id = await world.begin('KMD', 'task::enable_utxo');
		await until(id, 'running');
		world.node.drop();
		world.node.tasks.set(0, activated('KMD'));
		// A poll that started earlier may still be running.
		while (!(await isActive(id)())) await world.pass(1);
		await heard();
		const other = await world.begin('DOC', 'task::enable_utxo');
		await until(other, 'running');
		world.node.tasks.set(1, activated('DOC'));
		await tells(1, isActive(other));
	});

	it('looks now and then, however often the node tells of a task', async () => {
		world.activations.start();
		await heard();
		const id = await world.begin('KMD', 'task::enable_utxo');
		await until(id, 'running');
		const told = performance.now() + 1_000;
		while (performance.now() < told) {
			world.node.tell(0);
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
		const looks = world.node.count('task::enable_utxo::status');
		expect(looks).toBeGreaterThan(1);
		expect(looks).toBeLessThan(8);
		world.node.tasks.set(0, activated('KMD'));
		world.node.tell(0);
		await until(id, 'active');
	});

	it('names nobody at a node without events', async () => {
		world.node.hasEvents = false;
		world.activations.start();
		const id = await world.begin('KMD', 'task::enable_utxo');
		await until(id, 'running');
		const sent = world.node.seen.find(({ method }) => method === 'task::enable_utxo::init')!;
		expect(sent.params).not.toHaveProperty('client_id');
	});
});
