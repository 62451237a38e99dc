-- A session as a person has it: open, read the findings, apply a repair, rename; each step is written down.
local out = {}
local function say(...) table.insert(out, string.format(...)) end
local function finish(code)
  vim.fn.writefile(out, vim.env.TRANSCRIPT)
  vim.cmd(code == 0 and "qall!" or "cquit!")
end
local function wait(what, check)
  if not vim.wait(60000, check, 50) then say("never: %s", what) finish(1) end
end
local function buffer_text(path) return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr(path), 0, -1, false), "\n") end

vim.g.evalang_command = { vim.env.PYTHON, "-c", "from evalang.cli.main import run; raise SystemExit(run(['server']))" }
vim.cmd("luafile " .. vim.env.PLUGIN)

vim.cmd("edit " .. vim.env.LOG)
say("a log of Inspect AI: filetype '%s'", vim.bo.filetype)

vim.cmd("edit " .. vim.env.SCRIPT)
say("open study.eval: filetype '%s'", vim.bo.filetype)
local function findings() return vim.diagnostic.get(0) end
wait("findings", function() return #findings() > 0 end)
for _, one in ipairs(findings()) do
  say("finding: line %d, %s %s", one.lnum + 1, vim.diagnostic.severity[one.severity], one.code or one.user_data.lsp.code)
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  for _, answer in pairs(answers) do
    if answer.error then say("error of %s: %s", method, vim.inspect(answer.error)) finish(1) end
    return answer.result
  end
end
local encoding = "utf-16"
local function apply(edit) vim.lsp.util.apply_workspace_edit(edit, encoding) end

vim.fn.cursor(3, 10)
local hover = request("textDocument/hover", vim.lsp.util.make_position_params(0, encoding))
say("hover on mine: %s", hover.contents.value:match("learner mine[^\n]*"))

local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } }
local params = { textDocument = vim.lsp.util.make_text_document_params(), range = whole, context = { diagnostics = {} } }
for _, action in ipairs(request("textDocument/codeAction", params)) do
  if action.kind == "source.fixAll" then
    say("repair: %s", action.title)
    apply(action.edit)
  end
end
wait("the finding is gone", function()
  for _, one in ipairs(findings()) do
    local code = one.code or one.user_data.lsp.code
    if code == "EV501" or code == "EV310" then return false end
  end
  return #findings() > 0
end)
say("after the repair: %d findings, none of EV310 and EV501", #findings())

local rename = vim.lsp.util.make_position_params(0, encoding)
rename.newName = "ours"
apply(request("textDocument/rename", rename))
say("renamed mine to ours")
for line in buffer_text(vim.env.SCRIPT):gmatch("[^\n]+") do say("study.eval| %s", line) end
for line in buffer_text(vim.env.COMMON):gmatch("[^\n]+") do say("common.eval| %s", line) end
finish(0)
