-- evalang in Neovim: put this file into ~/.config/nvim/plugin/. It needs `pip install "evalang[editor]"`.

local command = { "evalang", "server" }

-- A file that ends in .eval is a script when it is text: Inspect AI's logs have the same ending and are ZIP archives.
local function is_script(buffer)
  local first = vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] or ""
  return first:sub(1, 2) ~= "PK" and not first:find("\n", 1, true)
end

local function start(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local root = vim.fn.fnamemodify(file, ":p:h")
  local config = { name = "evalang", cmd = vim.g.evalang_command or command, root_dir = root }
  config.workspace_folders = { { uri = vim.uri_from_fname(root), name = root } }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else -- before Neovim 0.8
    local client = vim.lsp.start_client(config)
    if client then vim.lsp.buf_attach_client(buffer, client) end
  end
end

local group = vim.api.nvim_create_augroup("evalang", {})
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group, pattern = { "*.evalang", "*.eval" },
  callback = function(event) if is_script(event.buf) then vim.bo[event.buf].filetype = "evalang" end end,
})
vim.api.nvim_create_autocmd("FileType", {
  group = group, pattern = "evalang",
  callback = function(event)
    vim.bo[event.buf].commentstring = "# %s"
    start(event.buf)
    if vim.lsp.inlay_hint then pcall(vim.lsp.inlay_hint.enable, true, { bufnr = event.buf }) end
  end,
})
