/** Settings that the trading node starts with; they persist across restarts. */
export interface KdfAccess {
	port: number;
	/** `rpc_password`. */
	password: string;
	passphrase: string;
	/** Whether it derives HD keys. */
	isHd: boolean;
}
