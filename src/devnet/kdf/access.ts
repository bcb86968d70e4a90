/** What a node is started with, which a restart keeps. */
export interface KdfAccess {
	port: number;
	/** `rpc_password`. */
	password: string;
	passphrase: string;
	/** Whether it derives a tree of keys. */
	isHd: boolean;
}
